"""A picture as one self-contained HTML page: a table over time, source on the left, lanes on the right.

Each violation is a section, of which one is visible; the last section is the whole tape.

The page loads nothing and keeps to a strict content security policy: one style sheet, one script, both with `nonce`,
no inline styles and handlers. docs/trace.md describes the messages that it exchanges with an editor.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from xml.etree.ElementTree import Element, tostring

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.assets import read_asset
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.summary import MODULE
from inplace_lsp.report.trace import Fold, Item, Origin, Picture, Row, draw_stories
from inplace_lsp.report.trace_cells import ROW, Board, Column
from inplace_lsp.report.violations import Violation
from inplace_lsp.tape.model import Span, Tape

MOST_PUT_AWAY = 1000
"""Maximum number of rows of one fold in the page; the JSON has all of them."""
MOST_BESIDE = 100
"""Maximum number of rows outside a story: the page also has the whole trace."""
MOST_ALONE = 10
"""Maximum number of rows of one fold in a page with a single story."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of the page. `group`: the number of the fold that contains it, 0 for none. `opens`: the number of the
    fold that it unfolds, 0 for a plain row."""

    group: int
    drawing: Markup
    row: Row | None = None
    fold: Fold | None = None
    opens: int = 0
    source: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class _Section:
    """One story as a table. `prefix` begins the ids of its rows. `whole`: it shows the whole tape."""

    number: int
    shown: Picture
    headline: str
    label: str
    prefix: str
    columns: list[Column]
    width: int
    groups: list[tuple[int, list[_Line]]]
    parts: list[tuple[str, int]]
    file: str
    whole: bool


def trace_html(
    tape: Tape,
    sources: Sources,
    *,
    nonce: str = "",
    origin: Origin = "observed",
    at: Span | None = None,
    title: str = "",
    repair: str = "",
    alone: bool = False,
) -> str:
    """Return the page of `tape`; `sources` are the lines of its files. See `draw_picture` for the other arguments.

    `repair`: a sentence that says what to do. `alone`: show only the requested story, in a small page.
    """
    stories = draw_stories(tape, origin, at, title)
    stories = stories[:1] if alone else stories
    page = _Page(sources, MOST_ALONE if alone else MOST_PUT_AWAY)
    sections = [page.make_section(number, shown) for number, shown in enumerate(stories)]
    return _page_template().render(
        shown=stories[0],
        name=_make_page_name(stories[0].function, sections[0].file, at),
        repair=repair,
        nonce=nonce,
        sections=sections,
        undescribed=0 if alone else max(0, len(stories[0].violations) - len(stories) + 1),
        row_height=ROW,
        style=Markup(read_asset("trace.css") + read_asset("marks.css")),
        script=Markup(read_asset("trace.js")),
    )


class _Page:
    """Turns pictures into sections of the page, their items into lines."""

    def __init__(self, sources: Sources, most: int) -> None:
        self._sources = sources
        self._most = most
        self._folds = 0

    def make_section(self, number: int, shown: Picture) -> _Section:
        """Return the section of a picture; the first one on the page is the requested story."""
        self._board = Board(shown)
        lines = list(self.make_lines(shown.items))
        whole = shown.story is None
        headline = f"All {shown.events} events" if whole and number else shown.headline
        return _Section(
            number,
            shown,
            headline,
            headline if whole else _make_story_label(shown),
            f"s{number}-" if number else "",
            self._board.columns,
            self._board.width,
            _group_by_fold(lines),
            _name_events(shown.story),
            _find_main_file(lines),
            whole,
        )

    def make_lines(self, items: Iterable[Item], group: int = 0) -> Iterator[_Line]:
        """Yield a line for every row and every fold, each fold followed by the lines it hides."""
        for item in items:
            if isinstance(item, Row):
                yield self._make_row_line(item, group)
            else:
                yield from self._make_fold_lines(item, group)

    def _make_row_line(self, row: Row, group: int) -> _Line:
        source = source_line(row.span, self._sources) if row.opens else ""
        return _Line(
            group, _drawing_markup(self._board.draw_cell(row)), row=row, source=source, place=_place_text(row.span)
        )

    def _make_fold_lines(self, fold: Fold, group: int) -> Iterator[_Line]:
        self._folds += 1
        number = self._folds
        yield _Line(group, _drawing_markup(self._board.draw_gap(fold.first, fold.last)), fold=fold, opens=number)
        most = self._most if fold.kind != "beside" else min(self._most, MOST_BESIDE)
        yield from self.make_lines(fold.items[:most], number)


def _group_by_fold(lines: Iterable[_Line]) -> list[tuple[int, list[_Line]]]:
    """Yield consecutive lines of the same fold together."""
    groups: list[tuple[int, list[_Line]]] = []
    for line in lines:
        if groups and groups[-1][0] == line.group:
            groups[-1][1].append(line)
        else:
            groups.append((line.group, [line]))
    return groups


def _make_page_name(function: str, file: str, at: Span | None) -> str:
    """Return the title of the page: the file and line, and the function if there is one."""
    place = _place_text(at) if at is not None else os.path.basename(file)
    named = function if function != MODULE else ""
    return " ".join(part for part in (place, named) if part) or function


def _place_text(span: Span) -> str:
    return f"{os.path.basename(span.file)}:{span.row}"


def _find_main_file(lines: Iterable[_Line]) -> str:
    """Return the file of most rows: only other files are named in the rows."""
    names = [line.row.span.file for line in lines if line.row is not None]
    return max(dict.fromkeys(names), key=names.count, default="")


def _name_events(story: Violation | None) -> list[tuple[str, int]]:
    """Return the events of a violation with their names."""
    if story is None:
        return []
    writes = [("the write", write) for write in story.writes[:1]]
    others = [("the release", story.freed), ("the refusal", story.refused), ("the failing check", story.check)]
    named = [("the save", story.save), *writes, *others]
    return [(name, part) for name, part in named if part is not None]


def _make_story_label(shown: Picture) -> str:
    """Return a story's label in a list: its sentence up to what backward finds."""
    return shown.headline.partition("; ")[0]


def _drawing_markup(elements: Iterable[Element]) -> Markup:
    return Markup("".join(tostring(element, encoding="unicode") for element in elements))  # serialised, so escaped


@cache
def _page_template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["prose"] = _prose_markup
    return environment.from_string(read_asset("trace.html"))


def _prose_markup(text: str) -> Markup:
    """Return `text` with backquoted parts as code, and real arrows."""
    pieces = text.replace("->", "→").split("`")
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(piece) if at % 2 else piece for at, piece in enumerate(pieces))
