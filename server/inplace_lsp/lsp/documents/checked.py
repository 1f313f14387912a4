"""The result of analysing a program, with what else was learnt on the way."""

from __future__ import annotations

from dataclasses import dataclass

from inplace_lsp.analysis import Analysis


@dataclass(frozen=True, slots=True)
class Checked:
    """An analysis, what was wrong with the configuration that it was meant to follow ("" if nothing), the files to
    which imports led or would have led, and the folders of the project's model files.
    """

    analysis: Analysis
    problem: str = ""
    read: frozenset[str] = frozenset()
    models: tuple[str, ...] = ()
