"""A tape as a table over time: what happens, on which line, and every version counter afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inplace_lsp.hazards.parts import UNNAMED
from inplace_lsp.report.tape_names import find_alias_ways, find_first_names, find_stand_in_names, list_tensors
from inplace_lsp.report.tape_words import describe_events
from inplace_lsp.report.widths import measure_text
from inplace_lsp.tape.model import Event, Write


@dataclass(frozen=True, slots=True)
class TapeRow:
    """An event. `versions` has an entry for each counter of the table, "" for one that does not exist yet."""

    number: int
    file: str
    line: int
    words: str
    versions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TapeTable:
    """`counters` are the titles of the version columns: the name of the first tensor that had the counter; `ids` the
    counters themselves."""

    counters: tuple[str, ...]
    rows: tuple[TapeRow, ...]
    ids: tuple[int, ...] = ()


def tape_table(events: Iterable[Event]) -> TapeTable:
    """Return the table of `events` in their order."""
    events = list(events)
    titles = _find_counter_titles(events)
    now: dict[int, int] = {}
    rows = []
    for number, (event, words) in enumerate(zip(events, describe_events(events), strict=True), start=1):
        cells = _advance_versions(event, now, tuple(titles))
        rows.append(TapeRow(number, event.span.file, event.span.row, words, cells))
    return TapeTable(tuple(titles.values()), tuple(rows), tuple(titles))


def tape_text(events: Iterable[Event]) -> str:
    """Return the table as monospaced text."""
    return "\n".join(_align_lines(*_table_cells(tape_table(events)))) + "\n"


def tape_markdown(events: Iterable[Event]) -> str:
    """Return the table as Markdown, for hovers."""
    header, rows = _table_cells(tape_table(events))
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def _advance_versions(event: Event, now: dict[int, int], counters: Sequence[int]) -> tuple[str, ...]:
    """Update `now` (counter to version) by `event`, and return the versions; of a write, what it changes."""
    for tensor in list_tensors(event):
        now[tensor.counter] = tensor.version
    before = dict(now)
    if isinstance(event, Write):
        now[event.tensor.counter] = event.version_after
    return tuple(_describe_version_change(before.get(counter), now.get(counter)) for counter in counters)


def _describe_version_change(before: int | None, after: int | None) -> str:
    if after is None:
        return ""
    return str(after) if before in (None, after) else f"{before} -> {after}"


def _find_counter_titles(events: Sequence[Event]) -> dict[int, str]:
    """Return the counters in order of appearance, each with the first name of one of its tensors."""
    titles: dict[int, str] = {}
    names, aliases, others = find_first_names(events), find_alias_ways(events), find_stand_in_names(events)
    unnamed: dict[int, str] = {}
    for event in events:
        for tensor in list_tensors(event):
            alias = f" ({aliases[tensor.id]})" if tensor.id in aliases else ""
            titles[tensor.counter] = titles.get(tensor.counter) or (names[tensor.id] and names[tensor.id] + alias)
            unnamed[tensor.counter] = unnamed.get(tensor.counter) or others.get(tensor.id, UNNAMED)
    return {counter: f"version of {title or unnamed[counter]}" for counter, title in titles.items()}


def _table_cells(table: TapeTable) -> tuple[list[str], list[list[str]]]:
    several = len({row.file for row in table.rows}) > 1
    rows = [
        [str(row.number), f"{row.file}:{row.line}" if several else str(row.line), row.words, *row.versions]
        for row in table.rows
    ]
    return ["", "line", "what happens", *table.counters], rows


def _align_lines(header: list[str], rows: list[list[str]]) -> Iterable[str]:
    lines = [header, *rows]
    widths = [max(measure_text(line[index]) for line in lines) for index in range(len(header))]
    rule = ["-" * width for width in widths]
    for line in (header, rule, *rows):
        yield "  ".join(_pad_cell(cell, width) for cell, width in zip(line, widths, strict=True)).rstrip()


def _pad_cell(cell: str, width: int) -> str:
    return cell + " " * (width - measure_text(cell))
