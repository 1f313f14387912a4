"""A code frame: source lines with the places of interest underlined and labelled, as rustc and ruff draw them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.text import Text

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.lines import ShownLine
from inplace_lsp.tape.model import Span

GUTTER = "blue"
CONTEXT_ROWS = 1


@dataclass(frozen=True, slots=True)
class Label:
    """A place with its text and its drawing style (`^^^` for the primary place, `---` for others)."""

    span: Span
    message: str
    primary: bool
    style: str


def draw_frame(labels: Iterable[Label], sources: Sources, margin: int) -> Iterator[Text]:
    """Yield the lines of a frame. All `labels` are in one file; rows that its source lacks are left out."""
    by_row = {
        row: list(group) for row, group in groupby(sorted(labels, key=_label_order), lambda label: label.span.row)
    }
    file = next(iter(by_row.values()))[0].span.file
    lines = sources[file]
    primary = [row for row, here in by_row.items() if any(label.primary for label in here)]
    shown = sorted(row for row in _add_context_rows(by_row, primary) if row <= len(lines))
    previous = None
    for row in shown:
        if previous is not None and row - previous > 2:
            yield Text("...", style=GUTTER)
        elif previous is not None and row - previous == 2:
            yield _draw_source(row - 1, ShownLine(lines[row - 2]), margin)
        yield from _draw_row(row, lines[row - 1], by_row.get(row, []), margin)
        previous = row


def _label_order(label: Label) -> tuple[int, bool, int]:
    return label.span.row, not label.primary, label.span.column


def _add_context_rows(labelled: Iterable[int], primary: Sequence[int]) -> set[int]:
    around = {row + step for row in primary for step in range(-CONTEXT_ROWS, CONTEXT_ROWS + 1)}
    return {row for row in around | set(labelled) if row > 0}


def _draw_row(row: int, line: str, labels: Sequence[Label], margin: int) -> Iterator[Text]:
    shown = ShownLine(line, min((label.span.column for label in labels), default=0))
    yield _draw_source(row, shown, margin)
    for label in labels:
        yield _draw_underline(label, shown, len(line), margin)


def _draw_source(row: int, shown: ShownLine, margin: int) -> Text:
    return Text.assemble((f"{row:>{margin}} | ", GUTTER), shown.text.rstrip())


def _draw_underline(label: Label, shown: ShownLine, length: int, margin: int) -> Text:
    """Underline a place, up to the end of its first line."""
    end = label.span.end_column if label.span.end_row == label.span.row else length
    first, last = shown.cell(label.span.column), shown.cell(max(end, label.span.column + 1))
    marks = ("^" if label.primary else "-") * max(last - first, 1)
    return Text.assemble(
        (" " * margin + " | ", GUTTER), " " * first, (marks, label.style), (f" {label.message}".rstrip(), label.style)
    )
