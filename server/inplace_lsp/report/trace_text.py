"""A picture as monospaced text: a table over time, the first violation drawn as one line down its margin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.tape_text import TapeTable, tape_table
from inplace_lsp.report.trace import Fold, Item, Origin, Picture, Row, flat, picture
from inplace_lsp.report.violations import Violation
from inplace_lsp.tape.model import Span, Tape

MAX_SOURCE = 40


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
    ascii_only: bool = False,
) -> str:  # fmt: skip
    """The table of `tape` under the sentence about it. `ascii_only` for terminals that can show nothing else."""
    return picture_text(picture(tape, origin, at, title), tape, sources, ascii_only=ascii_only).content


@dataclass(frozen=True, slots=True)
class TraceText:
    """A trace as text. `lines`: which line of it, counted from 0, shows an event; those put away have their fold's."""

    content: str
    lines: dict[int, int]


def picture_text(shown: Picture, tape: Tape, sources: Sources, *, ascii_only: bool = False) -> TraceText:
    """The table of `tape`, whose picture is `shown`, and where in it the events are."""
    text = _Text(shown, tape_table(tape.events), sources, ASCII if ascii_only else Signs())
    above = [*shown.headline.split("\n"), ""]
    titles, *table = text.table()
    places = enumerate(shown.items, len(above) + 1)
    lines = {row.index: line for line, item in places for row in flat([item])}
    return TraceText("\n".join([*above, titles, *table, *_others(shown.violations)]) + "\n", lines)


class _Text:
    """One table while it is made."""

    def __init__(self, shown: Picture, table: TapeTable, sources: Sources, signs: Signs) -> None:
        self._shown = shown
        self._table = table
        self._sources = sources
        self._signs = signs
        self._first = shown.violations[0] if shown.violations else None
        counters = {one.counter for lane in shown.lanes for one in lane.segments}
        self._columns = [at for at, counter in enumerate(table.ids) if counter in counters]

    def table(self) -> Iterator[str]:
        """The lines of the table."""
        titles = [self._table.counters[at].removeprefix("version of ") for at in self._columns]
        lines = [self._cells(item) for item in self._shown.items]
        cells = [["", "line", "source", "what happens", *titles], *(line for line in lines if isinstance(line, list))]
        widths = [max(cell_len(line[at]) for line in cells) for at in range(len(cells[0]))]
        for line in (cells[0], *lines):
            yield line if isinstance(line, str) else _aligned(line, widths)

    def _cells(self, item: Item) -> list[str] | str:
        if isinstance(item, Fold):
            return f"{self._margin(item.first, item.last)}      ... {item.words}"
        source = source_line(item.span, self._sources) if item.opens else ""
        if cell_len(source) > MAX_SOURCE:
            source = set_cell_size(source, MAX_SOURCE - 3).rstrip() + "..."
        versions = self._table.rows[item.index].versions
        return [
            self._margin(item.index, item.index),
            self._line(item),
            source,
            item.words,
            *(versions[at] for at in self._columns),
        ]

    def _line(self, row: Row) -> str:
        return str(row.span.row) if row.opens else ""

    def _margin(self, first: int, last: int) -> str:
        """The piece of the violation's line beside events `first` to `last`."""
        found, signs = self._first, self._signs
        if found is None:
            return ""
        parts = found.parts
        if first not in parts:
            return signs.between if parts[0] < first and last < parts[-1] else signs.none
        if len(parts) == 1:
            return signs.alone
        return signs.first if first == parts[0] else signs.last if first == parts[-1] else signs.write


def _others(found: Sequence[Violation]) -> Iterator[str]:
    """The other violations, each sentence once."""
    others = [one for one in dict.fromkeys(one.sentence for one in found) if one != found[0].sentence] if found else []
    if others:
        yield ""
        yield from (f"also: {sentence}" for sentence in others)


def _aligned(line: Sequence[str], widths: Sequence[int]) -> str:
    padded = [cell + " " * (width - cell_len(cell)) for cell, width in zip(line, widths, strict=True)]
    return (padded[0] + "  ".join(one for one, width in zip(padded[1:], widths[1:], strict=True) if width)).rstrip()
