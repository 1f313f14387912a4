"""The tensors that are kept until backward as bands beside the lines of a run: each begins at the line that made it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inplace_lsp.report.kept_memory import LEAST_SHARE, show_size
from inplace_lsp.report.memory_lines import MemoryLine
from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.tape.memory_use import MemoryUse


@dataclass(frozen=True, slots=True)
class Band:
    """A band of the picture: its left edge and its width in bytes, and the index of its first line."""

    left: int
    size: int
    begin: int
    words: str


def list_bands(use: MemoryUse, lines: Sequence[MemoryLine]) -> tuple[Band, ...]:
    """Return the bands of what takes a visible share of the memory, from left to right in the order of the lines."""
    at = {(line.file, line.row): index for index, line in enumerate(lines)}
    kept = [each for each in use.largest(LEAST_SHARE) if (each.span.file, each.span.row) in at]
    bands: list[Band] = []
    left = 0
    for each in sorted(kept, key=lambda each: at[each.span.file, each.span.row]):
        bands.append(Band(left, each.size, at[each.span.file, each.span.row], _describe(each)))
        left += each.size
    return tuple(bands)


def _describe(kept: KeptTensors) -> str:
    made = f"{kept.op} ({kept.count} of {list(kept.shape)})"
    return f"{show_size(kept.size)} made by {made} on line {kept.span.row}, alive until backward"
