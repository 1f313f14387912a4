"""The analysis of a program, with its configuration problem and the files it depends on."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Checked:
    """An analysis and what it depends on."""

    analysis: Analysis
    problem: str = ""
    """What is wrong with the configuration, "" if nothing."""
    read: frozenset[str] = frozenset()
    """The files that its imports lead to, or would lead to if they existed."""
    models: tuple[str, ...] = ()
    """The folders of the project's model files."""
