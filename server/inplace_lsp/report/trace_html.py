"""A picture as one HTML page that needs nothing else: a table over time, source on the left, lanes on the right.

The page loads nothing and keeps to a strict content security policy: one style sheet, one script, both with `nonce`,
no inline styles and handlers. docs/trace.md tells of the messages it exchanges with an editor.
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
from inplace_lsp.report.assets import asset
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.trace import Fold, Item, Origin, Picture, Row, picture
from inplace_lsp.report.trace_cells import ROW, Board
from inplace_lsp.report.violations import Violation
from inplace_lsp.tape.model import Span, Tape

MOST_PUT_AWAY = 1000
"""So many rows of one fold are kept in the page; the JSON has them all."""


@dataclass(frozen=True, slots=True)
class _Line:
    """One row of the page. `group` is the number of the fold it lies in, 0 for none; `opens` that of the fold it
    unfolds, 0 for a plain row."""

    group: int
    drawing: Markup
    row: Row | None = None
    fold: Fold | None = None
    opens: int = 0
    source: str = ""
    place: str = ""


def trace_html(
    tape: Tape,
    sources: Sources,
    *,
    nonce: str = "",
    origin: Origin = "observed",
    at: Span | None = None,
    title: str = "",
) -> str:
    """The page of `tape`; `sources` are the lines of the files it names. See `picture` for the other arguments."""
    return picture_html(picture(tape, origin, at, title), sources, nonce=nonce)


def picture_html(shown: Picture, sources: Sources, *, nonce: str = "") -> str:
    """The page of a picture."""
    board = Board(shown)
    lines = list(_Page(board, sources).lines(shown.items))
    return _template().render(
        shown=shown,
        nonce=nonce,
        columns=board.columns,
        width=board.width,
        row_height=ROW,
        groups=_grouped(lines),
        parts=_parts(shown.violations),
        others=list(_others(shown.violations)),
        style=Markup(asset("trace.css") + asset("marks.css")),
        script=Markup(asset("trace.js")),
        file=_main_file(lines),
    )


class _Page:
    """Turns items into lines of the page."""

    def __init__(self, board: Board, sources: Sources) -> None:
        self._board = board
        self._sources = sources
        self._folds = 0

    def lines(self, items: Iterable[Item], group: int = 0) -> Iterator[_Line]:
        """A line for every row and every fold, each fold followed by the lines it puts away."""
        for item in items:
            if isinstance(item, Row):
                yield self._row(item, group)
            else:
                yield from self._fold(item, group)

    def _row(self, row: Row, group: int) -> _Line:
        source = source_line(row.span, self._sources) if row.opens else ""
        return _Line(group, _drawing(self._board.cell(row)), row=row, source=source, place=_place(row.span))

    def _fold(self, fold: Fold, group: int) -> Iterator[_Line]:
        self._folds += 1
        number = self._folds
        yield _Line(group, _drawing(self._board.gap(fold.first, fold.last)), fold=fold, opens=number)
        yield from self.lines(fold.items[:MOST_PUT_AWAY], number)


def _grouped(lines: Iterable[_Line]) -> list[tuple[int, list[_Line]]]:
    """Lines in a row that lie in the same fold, together."""
    groups: list[tuple[int, list[_Line]]] = []
    for line in lines:
        if groups and groups[-1][0] == line.group:
            groups[-1][1].append(line)
        else:
            groups.append((line.group, [line]))
    return groups


def _place(span: Span) -> str:
    return f"{os.path.basename(span.file)}:{span.row}"


def _main_file(lines: Iterable[_Line]) -> str:
    """The file that most rows stand in: only other files are named in the rows."""
    names = [line.row.span.file for line in lines if line.row is not None]
    return max(dict.fromkeys(names), key=names.count, default="")


def _parts(found: Iterable[Violation]) -> list[tuple[str, int]]:
    """The events of the first violation, each with what it is called."""
    first = next(iter(found), None)
    if first is None:
        return []
    writes = [("the write", write) for write in first.writes]
    others = [("the release", first.freed), ("the refusal", first.refused), ("the failing check", first.check)]
    named = [("the save", first.save), *writes, *others]
    return [(name, part) for name, part in named if part is not None]


def _others(found: tuple[Violation, ...]) -> Iterator[tuple[str, int, int]]:
    """The other violations, each sentence once: the sentence, how often, and where it ends."""
    sentences = [one.sentence for one in found]
    ends = {one.sentence: one.parts[-1] for one in reversed(found)}
    for sentence in dict.fromkeys(sentences[1:]):
        times = sentences.count(sentence) - (sentence == sentences[0])
        if times:
            yield sentence, times, ends[sentence]


def _drawing(elements: Iterable[Element]) -> Markup:
    return Markup("".join(tostring(element, encoding="unicode") for element in elements))  # serialised, so escaped


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["prose"] = _prose
    return environment.from_string(asset("trace.html"))


def _prose(text: str) -> Markup:
    """`text` with what stands in backquotes as code, and real arrows."""
    pieces = text.replace("->", "→").split("`")
    code = Markup("<code>{}</code>")
    return Markup("").join(code.format(piece) if at % 2 else piece for at, piece in enumerate(pieces))
