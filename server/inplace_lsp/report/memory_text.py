"""The memory of a function's forward and backward, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.text import Text

from inplace_lsp.hazards.finding import Finding, Sources
from inplace_lsp.report.kept_memory import LEAST_SHARE, describe_place, show_mebibytes
from inplace_lsp.report.memory_lines import MemoryLine, describe_saving, list_lines
from inplace_lsp.report.paths import shown_path
from inplace_lsp.report.run_words import describe_inputs
from inplace_lsp.report.widths import shorten_to
from inplace_lsp.report.wrapping import wrap_line
from inplace_lsp.tape.memory_use import MemoryUse
from inplace_lsp.verify.measure import Measurement

_BAR = 20
_INDENT = 12
_TITLE = 11
"""Number of columns before the bar of a line: for its number and two sizes."""


def describe_measurement(
    measured: Measurement, offers: Sequence[Finding], sources: Sources, filename: str, folder: str, columns: int
) -> Iterator[str]:
    """Yield the lines of the report. `offers`: the writes in place of the changed text."""
    name = f"{shown_path(filename, folder)}::{measured.function}"
    for line in _list_facts(name, measured, offers):
        yield from (piece.plain.rstrip() for piece in wrap_line(Text(line), columns, _TITLE, _TITLE))
    if measured.use is not None:
        yield from _draw_lines(list_lines(measured.use, measured.changed, sources, filename), columns)
        yield from _list_kept(measured.use, sources, folder, columns)


def _list_facts(name: str, measured: Measurement, offers: Sequence[Finding]) -> Iterator[str]:
    use, changed = measured.use, measured.changed
    if use is None:
        yield f"{name}: not measured, {measured.why}"
        return
    sentence = f"{name}: {show_mebibytes(use.peak)} at the peak"
    if changed is not None:
        sentence += f", {show_mebibytes(changed.peak)} with the writes in place: {describe_saving(use, changed)}"
    yield sentence
    yield f"  counted  by {use.counter}, besides what it was given"
    yield f"  ran      torch {measured.torch} on {measured.device}, seed {measured.seed}"
    yield f"  inputs   {describe_inputs(measured)}"
    for offer in offers:
        yield f"  in place line {offer.span.row}: {offer.message}"
    if not offers:
        yield "  in place nothing in this file may write in place, provably (IP501)"
    elif measured.difference:
        yield f"  changed  {measured.difference}"
    else:
        yield "  changed  the gradients are those of the program as it is"


def _draw_lines(lines: Sequence[MemoryLine], columns: int) -> Iterator[str]:
    """Draw the memory that is alive after each line, as a bar beside its source."""
    most = max((line.size for line in lines), default=0) or 1
    both = any(line.changed is not None for line in lines)
    yield ""
    yield f"{'line':>6}{'MiB':>7}{'in place' if both else '':>10}".rstrip()
    for line in lines:
        bar = "█" * round(_BAR * line.size / most)
        less = _show_size(line.changed) if line.changed is not None else ""
        row = str(line.row) if line.row else ""
        start = f"{row:>6}{_show_size(line.size):>7}{less if both else '':>10}  {bar:<{_BAR}}  "
        yield f"{start}{shorten_to(line.source, max(columns - len(start), _INDENT))}".rstrip()


def _list_kept(use: MemoryUse, sources: Sources, folder: str, columns: int) -> Iterator[str]:
    total = sum(kept.size for kept in use.kept)
    if not total:
        return
    yield ""
    yield f"Alive when backward begins, without parameters: {show_mebibytes(total)}"
    yield ""
    for kept in use.largest(LEAST_SHARE):
        place = shorten_to(describe_place(kept, sources, folder), columns - _INDENT)
        yield f"{show_mebibytes(kept.size):>10}  {place}"
        yield f"{'':{_INDENT}}made by {kept.op} ({kept.count} of {list(kept.shape)})"


def _show_size(size: int) -> str:
    return f"{size / 2**20:,.1f}"
