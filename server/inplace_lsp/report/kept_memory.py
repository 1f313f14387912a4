"""Describe the memory that a graph keeps until backward: the lines that saved most, and why backward needs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.hazards.parts import name_saved_part
from inplace_lsp.hazards.reason import find_reason_for_save
from inplace_lsp.report.paths import shown_path
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.widths import shorten_to
from inplace_lsp.report.wrapping import wrap_line
from inplace_lsp.tape.kept_memory import KeptMemory, KeptTensors

MOST_SHOWN = 20
"""Maximum number of entries; the smaller ones are added up."""
LEAST_SHARE = 0.01
"""Minimum share of the whole for an entry of its own."""
_MIB = 2**20
_INDENT = 12


def describe_kept_memory(memory: KeptMemory, sources: Sources, columns: int, folder: str) -> str:
    """Return the report as lines of at most `columns`. Files in `folder` are shown relative to it."""
    return "\n".join(
        piece.plain.rstrip()
        for line in _describe_lines(memory, sources, columns, folder)
        for piece in wrap_line(Text(line), columns, _INDENT, _INDENT)
    )


def _describe_lines(memory: KeptMemory, sources: Sources, columns: int, folder: str) -> Iterator[str]:
    if not memory.tensors:
        yield "No backward ran through a graph that keeps memory."
        return
    where = f"line {memory.backward.row} of {shown_path(memory.backward.file, folder)}"
    yield f"Saved for the backward on {where}, without parameters and buffers: {show_mebibytes(memory.size)}"
    yield ""
    shown = [kept for kept in memory.tensors[:MOST_SHOWN] if kept.size >= LEAST_SHARE * memory.size]
    for kept in shown:
        yield f"{show_mebibytes(kept.size):>10}  {shorten_to(describe_place(kept, sources, folder), columns - _INDENT)}"
        yield f"{'':{_INDENT}}{_describe_saved(kept)}"
    if rest := memory.tensors[len(shown) :]:
        yield f"{show_mebibytes(sum(kept.size for kept in rest)):>10}  saved by {len(rest)} smaller entries"
    yield ""
    for peak in memory.peaks:
        what = f"allocated on {peak.device}" if peak.device else "resident, with Python and torch themselves"
        yield f"Peak of the whole run: {show_mebibytes(peak.size)} ({what})"


def describe_place(kept: KeptTensors, sources: Sources, folder: str) -> str:
    """Return the line that kept tensors, with its source."""
    return f"{shown_path(kept.span.file, folder)}:{kept.span.row}  {source_line(kept.span, sources)}"


def _describe_saved(kept: KeptTensors) -> str:
    """Return what an op saved and why: `relu saves its result (4 of [8, 32], in act (ReLU)): the gradient ...`."""
    amount = f"{kept.count} of {list(kept.shape)}" if kept.count > 1 else f"{list(kept.shape)}"
    statement = f"{kept.op} saves {name_saved_part(kept.role)} ({amount}{_describe_modules(kept.modules)})"
    return f"{statement}: {find_reason_for_save(kept.op, kept.role)}" if kept.op else statement


def _describe_modules(modules: Sequence[str]) -> str:
    if not modules:
        return ""
    more = f" and {len(modules) - 1} more" if len(modules) > 1 else ""
    return f", in {modules[0]}{more}"


def show_size(size: int) -> str:
    """Return a number of bytes that may be small: `12.5 MiB`, `1.5 KiB`."""
    return show_mebibytes(size) if size >= _MIB / 10 else f"{size / 2**10:,.1f} KiB"


def show_mebibytes(size: int) -> str:
    """Return a number of bytes as people read it: `12.5 MiB`."""
    return f"{size / _MIB:,.1f} MiB"
