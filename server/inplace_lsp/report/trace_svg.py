"""A picture as one self-contained SVG: what `trace_html` shows with its folds closed."""

from __future__ import annotations

from itertools import accumulate
from xml.etree.ElementTree import Element, SubElement, tostring

from inplace_lsp.hazards.finding import Sources
from inplace_lsp.report.assets import read_asset
from inplace_lsp.report.source_lines import source_line
from inplace_lsp.report.trace import Fold, Item, Origin, Picture, Row, draw_picture
from inplace_lsp.report.trace_cells import ROW, Board
from inplace_lsp.report.widths import measure_text
from inplace_lsp.tape.model import Span, Tape

MARGIN = 24
HEAD = 104
LETTER = 7.3
"""The width of a character of the source, in its font's size."""
WORD = 6.9
MAX_SOURCE = 48
LINE = 44
WIDEST_TITLE = 96
TITLE_LETTER = 9.6
LEADING = 18
"""Height of a further line of a wrapped row."""
FEWEST_LETTERS = 16
"""Minimum number of characters of a line of words; a drawing that has no room for them is wider than asked for."""


def trace_svg(
    tape: Tape,
    sources: Sources,
    *,
    origin: Origin = "observed",
    at: Span | None = None,
    title: str = "",
    width: int = 0,
) -> str:
    """Return the drawing of `tape`; it follows the viewer's colour scheme. `width`: the number of pixels that it may be
    wide, 0 for as many as are needed; where these are few, the source stands above wrapped words."""
    shown = draw_picture(tape, origin, at, title)
    drawing = _Drawing(shown, sources)
    return (_NarrowDrawing(shown, sources, width) if 0 < width < drawing.width else drawing).text()


class _Drawing:
    """One drawing: line numbers, source, lanes and words, in columns from the left."""

    def __init__(self, shown: Picture, sources: Sources, title_letters: int = WIDEST_TITLE) -> None:
        self._shown = shown
        self._board = Board(shown)
        self._sources = {id(item): self._find_source(item, sources) for item in shown.items}
        self._title = list(_wrap_text(shown.headline.replace("`", "").replace("->", "→"), title_letters))
        self._top = HEAD + 24 * (len(self._title) - 1)
        self._place_columns()

    def _place_columns(self) -> None:
        """Find the left end of the lanes and of the words, and the width of the drawing."""
        longest = max((measure_text(source) for source in self._sources.values()), default=0)
        self._lanes = MARGIN + LINE + (longest * LETTER + 24 if longest else 0)
        self._words = self._lanes + self._board.width + 24
        words = max((measure_text(item.words) for item in self._shown.items), default=20)
        title = max(len(line) for line in self._title) * TITLE_LETTER + 14
        self.width = int(max(self._words + words * WORD, MARGIN + title) + MARGIN)

    def text(self) -> str:
        """Return the drawing as XML."""
        heights = [self._measure_height(item) for item in self._shown.items]
        height = self._top + sum(heights) + MARGIN
        root = Element(
            "svg",
            {"xmlns": "http://www.w3.org/2000/svg", "width": str(self.width), "height": str(height), "role": "img",
             "viewBox": f"0 0 {self.width} {height}", "aria-labelledby": "title desc"},
        )  # fmt: skip
        SubElement(root, "title", {"id": "title"}).text = _drop_illegal(f"Trace of {self._shown.function}")
        SubElement(root, "desc", {"id": "desc"}).text = _drop_illegal(self._shown.headline)
        SubElement(root, "style").text = read_asset("drawing.css") + read_asset("marks.css")
        SubElement(root, "rect", {"class": "page", "width": "100%", "height": "100%"})
        self._draw_head(root)
        for item, top, own in zip(self._shown.items, accumulate(heights, initial=self._top), heights, strict=False):
            self._draw_item(root, item, top, own)
        return tostring(root, encoding="unicode") + "\n"

    def _draw_head(self, root: Element) -> None:
        what = f"{self._shown.origin} trace of {self._shown.function}"
        _add_text(root, MARGIN, 32, what, "quiet")
        bar = {"x": str(MARGIN), "y": "44", "width": "4", "height": str(24 * len(self._title) + 4)}
        SubElement(root, "rect", {"class": "bar bad" if self._shown.violations else "bar fine", **bar})
        for number, line in enumerate(self._title):
            _add_text(root, MARGIN + 14, 62 + 24 * number, line, "title")
        for column in self._board.columns:
            _add_text(root, self._lanes + column.find_middle(0), self._top - 8, column.title, "lane", middle=True)

    def _measure_height(self, item: Item) -> int:
        return ROW

    def _draw_item(self, root: Element, item: Item, top: int, height: int) -> None:
        kind = "row bad" if isinstance(item, Row) and item.role else "row"
        place = {"x": str(MARGIN), "y": str(top), "width": str(self.width - 2 * MARGIN), "height": str(height)}
        SubElement(root, "rect", {"class": kind, **place})
        if isinstance(item, Fold):
            lanes = self._board.draw_gap(item.first, item.last)
        else:
            lanes = self._board.draw_cell(item)
            if item.opens:
                _add_text(root, MARGIN + LINE - 14, top + 20, str(item.span.row), "line", end=True)
        self._write_words(root, item, top + 20)
        place = {"x": f"{self._lanes:g}", "y": str(top), "width": str(self._board.width), "height": str(height)}
        SubElement(root, "svg", place).extend(lanes)

    def _write_words(self, root: Element, item: Item, y: int) -> None:
        """Write what happens, and the source on the left of the lanes."""
        if self._sources[id(item)]:
            _add_text(root, MARGIN + LINE, y, self._sources[id(item)], "source")
        _add_text(root, self._words, y, _word_item(item), _class_of_words(item))

    def _find_source(self, item: Item, sources: Sources) -> str:
        if isinstance(item, Fold) or not item.opens:
            return ""
        source = source_line(item.span, sources)
        return source if len(source) <= MAX_SOURCE else source[: MAX_SOURCE - 1] + "…"


class _NarrowDrawing(_Drawing):
    """A drawing of at most `width` pixels, if that is possible: the source stands above what happens, and both end
    with the drawing."""

    def __init__(self, shown: Picture, sources: Sources, width: int) -> None:
        self._wanted = width
        super().__init__(shown, sources, max(FEWEST_LETTERS, int((width - 2 * MARGIN - 14) / TITLE_LETTER)))

    def _place_columns(self) -> None:
        self._lanes = MARGIN + LINE - 8
        self._words = self._lanes + self._board.width + 8
        self._letters = max(FEWEST_LETTERS, int((self._wanted - MARGIN - self._words) / WORD))
        self.width = max(self._wanted, int(self._words + self._letters * WORD + MARGIN))

    def _measure_height(self, item: Item) -> int:
        return ROW + LEADING * (len(self._list_lines(item)) - 1)

    def _write_words(self, root: Element, item: Item, y: int) -> None:
        for number, (line, kind) in enumerate(self._list_lines(item)):
            _add_text(root, self._words, y + LEADING * number, line, kind)

    def _list_lines(self, item: Item) -> list[tuple[str, str]]:
        """Return the lines of an item with their classes."""
        words = [(line, _class_of_words(item)) for line in _wrap_text(_word_item(item), self._letters)]
        source, room = self._sources[id(item)], int(self._letters * WORD / LETTER)
        if not source:
            return words
        return [(source if len(source) <= room else source[: room - 1] + "…", "source"), *words]


def _word_item(item: Item) -> str:
    return f"▸ {item.words}" if isinstance(item, Fold) else item.words


def _class_of_words(item: Item) -> str:
    if isinstance(item, Fold):
        return "words fold"
    return "words bad" if item.role else "words"


def _add_text(
    root: Element, x: float, y: float, content: str, kind: str, *, middle: bool = False, end: bool = False
) -> None:
    anchor = {"text-anchor": "middle" if middle else "end"} if middle or end else {}
    SubElement(root, "text", {"class": kind, "x": f"{x:g}", "y": f"{y:g}", **anchor}).text = _drop_illegal(content)


def _drop_illegal(text: str) -> str:
    """Return `text` without the characters that XML cannot contain."""
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def _wrap_text(text: str, width: int) -> list[str]:
    """Return `text` in lines of at most `width` characters, a longer word in one of its own."""
    lines = [""]
    for word in text.split(" "):
        if lines[-1] and len(lines[-1]) + 1 + len(word) > width:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
