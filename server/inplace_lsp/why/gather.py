"""Gather the clues in a file, and the parts that were not analysed, as plain data to send between processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.engine import analyse_source
from inplace_lsp.interpret.state.facts import Facts
from inplace_lsp.source.functions import find_function_at
from inplace_lsp.source.units import Unit, read_source
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.clues import find_clues


@dataclass(frozen=True, slots=True)
class FileClues:
    """The clues of a file. `error` says why there are none."""

    filename: str
    clues: tuple[Clue, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    error: str = ""


def gather_clues(text: str, filename: str, facts: Facts) -> FileClues:
    """Analyse one file and return its clues. Suppression comments and configuration do not count here."""
    analysis = analyse_source(text, filename, facts)
    units = read_source(text).units
    clues = tuple(replace(clue, is_local=_is_local(clue, units, filename)) for clue in find_clues(analysis))
    return FileClues(filename, clues, analysis.gaps)


def _is_local(clue: Clue, units: Sequence[Unit], filename: str) -> bool:
    """Return whether the tensor was saved in the function that writes it."""
    if clue.saved is None or clue.saved.file != filename or clue.span.file != filename:
        return False
    return find_function_at(units, clue.saved.row) == find_function_at(units, clue.span.row)


def make_failed_file(filename: str, why: str) -> FileClues:
    """Return the record of a file about which nothing could be learnt."""
    return replace(FileClues(filename), error=why)
