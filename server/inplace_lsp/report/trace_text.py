"""A picture as monospaced text: a table over time with the first violation as a line down its margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import wrap

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.tape_text import TapeTable, tape_table
from inplace_lsp.report.trace import Fold, Item, Origin, Picture, Row, draw_picture, flatten_items
from inplace_lsp.report.violations import Violation
from inplace_lsp.report.widths import measure_text, shorten_to
from inplace_lsp.tape.model import Span, Tape

MAX_SOURCE = 40
NARROWEST = 60
"""Minimum number of columns."""
LINE = 4
VERSION = 6
NARROW_TITLE = 14
NARROW_COLUMNS = 2
"""Maximum number of counters in a narrow table."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters of the line that joins a save, its writes and the check."""

    first: str = "╭─● "
    between: str = "│   "
    write: str = "├─▶ "
    last: str = "╰─✗ "
    alone: str = "──✗ "
    none: str = "    "


ASCII = Signs(",-o ", "|   ", "|-> ", "'-x ", "--x ")


def trace_text(
    tape: Tape, sources: Sources, *, origin: Origin = "observed", at: Span | None = None, title: str = "",
    ascii_only: bool = False, width: int = 0,
) -> str:  # fmt: skip
    """Return the table of `tape` under the sentence about it. `ascii_only` for terminals that can show nothing else.
    `width`: the number of columns; 0: as many as are needed."""
    return picture_text(
        draw_picture(tape, origin, at, title), tape, sources, ascii_only=ascii_only, width=width
    ).content


@dataclass(frozen=True, slots=True)
class TraceText:
    """A trace as text. `lines`: for each event, the line (from 0) that shows it or its fold."""

    content: str
    lines: dict[int, int]


@dataclass(frozen=True, slots=True)
class _Block:
    """The lines of one item; `sentence_line` is the index of the line with the sentence."""

    item: Item
    lines: tuple[str, ...]
    sentence_line: int = 0


def picture_text(
    shown: Picture, tape: Tape, sources: Sources, *, ascii_only: bool = False, width: int = 0
) -> TraceText:
    """Return the table of `tape` for its picture `shown`, with the line of each event."""
    text = _TableText(shown, tape_table(tape.events), sources, ASCII if ascii_only else Signs())
    titles, blocks = text.make_table()
    if width and any(measure_text(line) > width for block in blocks for line in (titles, *block.lines)):
        titles, blocks = text.make_narrow_table(max(width, NARROWEST))
    content = [*_wrap_text(shown.headline, width), "", titles]
    lines: dict[int, int] = {}
    for block in blocks:
        lines |= {row.index: len(content) + block.sentence_line for row in flatten_items([block.item])}
        content += block.lines
    others = (line for other in _describe_other_violations(shown.violations) for line in _wrap_text(other, width))
    return TraceText("\n".join([*content, *others]) + "\n", lines)


def _wrap_text(text: str, width: int) -> list[str]:
    lines = text.split("\n")
    return [part for line in lines for part in (wrap(line, max(width, NARROWEST)) if width and line else [line])]


class _TableText:
    """A table under construction."""

    def __init__(self, shown: Picture, table: TapeTable, sources: Sources, signs: Signs) -> None:
        self._shown = shown
        self._table = table
        self._sources = sources
        self._signs = signs
        self._first = shown.violations[0] if shown.violations else None
        counters = {segment.counter for lane in shown.lanes for segment in lane.segments}
        self._columns = [at for at, counter in enumerate(table.ids) if counter in counters]
        self._titles = [table.counters[at].removeprefix("version of ") for at in self._columns]

    def make_table(self) -> tuple[str, list[_Block]]:
        """Return the title and the lines of the table, with the source beside the events."""
        cells = {id(item): self._make_row_cells(item) for item in self._shown.items if isinstance(item, Row)}
        title = ["", "line", "source", "what happens", *self._titles]
        lines = [title, *cells.values()]
        widths = [max(measure_text(line[at]) for line in lines) for at in range(len(title))]
        blocks = [
            _Block(item, (_align_cells(cells[id(item)], widths) if isinstance(item, Row) else self._format_fold(item),))
            for item in self._shown.items
        ]
        return _align_cells(title, widths), blocks

    def make_narrow_table(self, width: int) -> tuple[str, list[_Block]]:
        """Return the same in `width` columns, with the source above the events and wrapped sentences."""
        titles = [_shorten_from_left(title, NARROW_TITLE) for title in self._titles[:NARROW_COLUMNS]]
        versions = [max(measure_text(title), VERSION) for title in titles]
        words = width - measure_text(self._signs.none) - LINE - 2 - sum(version + 2 for version in versions)
        widths = [measure_text(self._signs.none), LINE, words, *versions]
        blocks = [
            self._make_narrow_row(item, widths) if isinstance(item, Row) else _Block(item, (self._format_fold(item),))
            for item in self._shown.items
        ]
        return _align_cells(["", "line", "what happens", *titles], widths), blocks

    def _make_narrow_row(self, row: Row, widths: Sequence[int]) -> _Block:
        source = source_line(row.span, self._sources) if row.opens else ""
        versions = [self._table.rows[row.index].versions[at] for at in self._columns[:NARROW_COLUMNS]]
        empty = [""] * len(versions)
        indent = "  " if source else ""
        first, *more = wrap(row.words, widths[2] - 2) or [""]
        sentence_cells = [
            self._draw_margin(row.index, row.index),
            "" if source else self._format_line_number(row),
            indent + first,
            *versions,
        ]
        above = [
            [
                self._draw_margin_beside(row.index, before=True),
                self._format_line_number(row),
                shorten_to(source, widths[2]),
                *empty,
            ]
        ]
        below = [[self._draw_margin_beside(row.index, before=False), "", "  " + line, *empty] for line in more]
        lines = [*(above if source else []), sentence_cells, *below]
        return _Block(row, tuple(_align_cells(line, widths) for line in lines), sentence_line=1 if source else 0)

    def _format_fold(self, fold: Fold) -> str:
        return f"{self._draw_margin(fold.first, fold.last)}      ... {fold.words}"

    def _make_row_cells(self, item: Row) -> list[str]:
        source = shorten_to(source_line(item.span, self._sources) if item.opens else "", MAX_SOURCE)
        versions = self._table.rows[item.index].versions
        return [
            self._draw_margin(item.index, item.index),
            self._format_line_number(item),
            shorten_to(source, MAX_SOURCE),
            item.words,
            *(versions[at] for at in self._columns),
        ]

    def _draw_margin_beside(self, index: int, *, before: bool) -> str:
        """Return the piece of the violation's line above or below the text of an event."""
        parts = self._first.parts if self._first is not None else (0,)
        runs = parts[0] < index <= parts[-1] if before else parts[0] <= index < parts[-1]
        return self._signs.between if runs else self._signs.none if self._first is not None else ""

    def _format_line_number(self, row: Row) -> str:
        return str(row.span.row) if row.opens else ""

    def _draw_margin(self, first: int, last: int) -> str:
        """Return the piece of the violation's line beside events `first` to `last`."""
        found, signs = self._first, self._signs
        if found is None:
            return ""
        parts = found.parts
        if first not in parts:
            return signs.between if parts[0] < first and last < parts[-1] else signs.none
        if len(parts) == 1:
            return signs.alone
        return signs.first if first == parts[0] else signs.last if first == parts[-1] else signs.write


def _describe_other_violations(found: Sequence[Violation]) -> Iterator[str]:
    """Yield the other violations, each sentence once."""
    others = (
        [
            sentence
            for sentence in dict.fromkeys(violation.sentence for violation in found)
            if sentence != found[0].sentence
        ]
        if found
        else []
    )
    if others:
        yield ""
        yield from (f"also: {sentence}" for sentence in others)


def _shorten_from_left(text: str, width: int) -> str:
    """Return the end of a name that is too long, since the end says more than the start."""
    return text if len(text) <= width else "..." + text[3 - width :]


def _align_cells(line: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - measure_text(cell)) for cell, width in zip(line, widths, strict=True)]
    return (padded[0] + "  ".join(cell for cell, width in zip(padded[1:], widths[1:], strict=True) if width)).rstrip()
