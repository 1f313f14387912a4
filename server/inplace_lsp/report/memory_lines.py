"""The memory of a run line by line, as it is and with writes in place, for both the text and the page."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.tape.memory_use import MemoryStep, MemoryUse
from inplace_lsp.tape.model import Span

BACKWARD = "backward"


@dataclass(frozen=True, slots=True)
class MemoryLine:
    """A line with the memory that was alive after its ops."""

    file: str
    row: int
    """The row of the line; 0 for the backward."""
    source: str
    size: int
    """The most bytes after any of its ops."""
    changed: int | None = None
    """The same with the writes in place; None if that was not measured."""


def list_lines(use: MemoryUse, changed: MemoryUse | None, sources: Sources, filename: str) -> tuple[MemoryLine, ...]:
    """Return the lines in the order in which they first ran, the backward last; lines of files other than `filename`
    name their file. Both runs have the same line numbers, since the edits move no line."""
    most, other = _find_most(use.steps), _find_most(changed.steps) if changed is not None else {}
    return tuple(
        MemoryLine(file, row, _show_source(file, row, sources, filename), size, other.get((file, row)))
        for (file, row), size in sorted(most.items(), key=lambda line: line[0][1] == 0)
    )


def _show_source(file: str, row: int, sources: Sources, filename: str) -> str:
    if not row:
        return BACKWARD
    source = source_line(Span(file, row, 0, row, 0), sources)
    return source if file == filename else f"{os.path.basename(file)}: {source}"


def _find_most(steps: Sequence[MemoryStep]) -> dict[tuple[str, int], int]:
    found: dict[tuple[str, int], int] = {}
    for step in steps:
        key = ("", 0) if step.walking else (step.span.file, step.span.row)
        found[key] = max(step.size, found.get(key, 0))
    return found


def describe_saving(use: MemoryUse, changed: MemoryUse) -> str:
    """Return the difference in memory with the writes in place: `0.5 MiB (16 %) less`."""
    less = use.peak - changed.peak
    share = f" ({abs(less) / use.peak:.0%})" if use.peak else ""
    return "as much" if less == 0 else f"{abs(less) / 2**20:,.1f} MiB{share} {'less' if less > 0 else 'more'}"
