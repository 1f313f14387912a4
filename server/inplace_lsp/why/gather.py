"""The clues in one file, and what of it was not understood: plain data that goes between processes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from inplace_lsp.analysis import NotAnalysed
from inplace_lsp.engine import analyse
from inplace_lsp.interpret.state.facts import Facts
from inplace_lsp.source.functions import function_at
from inplace_lsp.source.units import Unit, read
from inplace_lsp.why.clue import Clue
from inplace_lsp.why.clues import clues_of


@dataclass(frozen=True, slots=True)
class FileClues:
    """What came of one file. `error` says why nothing did."""

    filename: str
    clues: tuple[Clue, ...] = ()
    gaps: tuple[NotAnalysed, ...] = ()
    error: str = ""


def gather(text: str, filename: str, facts: Facts) -> FileClues:
    """Analyse one file and keep what an error may be about. Comments and configuration hide nothing here."""
    analysis = analyse(text, filename, facts)
    units = read(text).units
    clues = tuple(replace(one, is_local=_is_local(one, units, filename)) for one in clues_of(analysis))
    return FileClues(filename, clues, analysis.gaps)


def _is_local(clue: Clue, units: Sequence[Unit], filename: str) -> bool:
    """Whether the tensor was saved in the function that writes it."""
    if clue.saved is None or clue.saved.file != filename or clue.span.file != filename:
        return False
    return function_at(units, clue.saved.row) == function_at(units, clue.span.row)


def failed(filename: str, why: str) -> FileClues:
    """What there is of a file of which nothing could be learnt."""
    return replace(FileClues(filename), error=why)
