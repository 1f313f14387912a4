"""A code frame: source lines with the places of interest underlined and labelled, as rustc and ruff draw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.lines import MAX_WIDTH, ShownLine
from inplace_lsp.report.widths import measure_text
from inplace_lsp.report.wrapping import UNLIMITED, wrap_line
from inplace_lsp.tape.model import Span

GUTTER = "blue"
HANG = 4
"""Number of columns by which all but the first line of a message are indented."""
_BAR = " | "
CONTEXT_ROWS = 1
"""Default number of rows shown before and after the primary place."""
_LEAST_BESIDE = 40
"""Minimum number of columns for a message beside the underline; with fewer, it goes below."""


@dataclass(frozen=True, slots=True)
class Label:
    """A place with its text and its drawing style (`^^^` for the primary place, `---` for others)."""

    span: Span
    message: str
    primary: bool
    style: str


def draw_frame(
    labels: Iterable[Label], sources: Sources, margin: int, columns: int = UNLIMITED, around: int = CONTEXT_ROWS
) -> Iterator[Text]:
    """Yield the lines of a frame, with `around` rows before and after the primary place. All `labels` are in one file;
    rows that its source lacks are left out."""
    width = MAX_WIDTH if columns == UNLIMITED else columns - margin - len(_BAR) - 1
    by_row = {row: list(group) for row, group in groupby(sorted(labels, key=_rank_label), lambda label: label.span.row)}
    file = next(iter(by_row.values()))[0].span.file
    lines = sources[file]
    primary = [row for row, here in by_row.items() if any(label.primary for label in here)]
    shown = sorted(row for row in _add_context_rows(by_row, primary, around) if row <= len(lines))
    previous = None
    for row in shown:
        if previous is not None and row - previous > 2:
            yield Text("...", style=GUTTER)
        elif previous is not None and row - previous == 2:
            yield _draw_source(row - 1, ShownLine(lines[row - 2], width=width), margin)
        yield from _draw_row(row, lines[row - 1], by_row.get(row, []), margin, width)
        previous = row


def _rank_label(label: Label) -> tuple[int, bool, int]:
    return label.span.row, not label.primary, label.span.column


def _add_context_rows(labelled: Iterable[int], primary: Sequence[int], around: int) -> set[int]:
    near = {row + step for row in primary for step in range(-around, around + 1)}
    return {row for row in near | set(labelled) if row > 0}


def _draw_row(row: int, line: str, labels: Sequence[Label], margin: int, width: int) -> Iterator[Text]:
    shown = ShownLine(line, min((label.span.column for label in labels), default=0), width)
    yield _draw_source(row, shown, margin)
    for label in labels:
        for text in _draw_underline(label, shown, len(line), width):
            yield Text.assemble((" " * margin + _BAR, GUTTER), text)


def _draw_source(row: int, shown: ShownLine, margin: int) -> Text:
    return Text.assemble((f"{row:>{margin}}{_BAR}", GUTTER), shown.text.rstrip())


def _draw_underline(label: Label, shown: ShownLine, length: int, width: int) -> Iterator[Text]:
    """Underline a place, up to the end of its first line, with the message beside it or below."""
    end = label.span.end_column if label.span.end_row == label.span.row else length
    first, last = shown.find_cell(label.span.column), shown.find_cell(max(end, label.span.column + 1))
    marks = ("^" if label.primary else "-") * max(last - first, 1)
    under = Text.assemble(" " * first, (marks, label.style))
    beside = first + len(marks) + 1
    if not label.message:
        yield under
    elif beside + min(measure_text(label.message), _LEAST_BESIDE) <= width:
        yield from wrap_line(Text.assemble(under, (f" {label.message}", label.style)), width, beside)
    else:
        yield under
        indent = max(0, min(first, width - _LEAST_BESIDE))
        yield from wrap_line(Text.assemble(" " * indent, (label.message, label.style)), width, indent)
