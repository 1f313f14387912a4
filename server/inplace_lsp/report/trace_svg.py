"""A picture as one self-contained SVG: what `trace_html` shows with its folds closed."""

from __future__ import annotations

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


def trace_svg(
    tape: Tape, sources: Sources, *, origin: Origin = "observed", at: Span | None = None, title: str = ""
) -> str:
    """Return the drawing of `tape`; it follows the viewer's colour scheme."""
    return _Drawing(draw_picture(tape, origin, at, title), sources).text()


class _Drawing:
    """One drawing: line numbers, source, lanes and words, in columns from the left."""

    def __init__(self, shown: Picture, sources: Sources) -> None:
        self._shown = shown
        self._board = Board(shown)
        self._sources = {id(item): self._find_source(item, sources) for item in shown.items}
        longest = max((measure_text(source) for source in self._sources.values()), default=0)
        self._lanes = MARGIN + LINE + (longest * LETTER + 24 if longest else 0)
        self._words = self._lanes + self._board.width + 24
        self._title = list(_wrap_text(shown.headline.replace("`", "").replace("->", "→"), WIDEST_TITLE))
        words = max((measure_text(item.words) for item in shown.items), default=20)
        title = max(len(line) for line in self._title) * 9.6 + 14
        self.width = int(max(self._words + words * WORD, MARGIN + title) + MARGIN)
        self._top = HEAD + 24 * (len(self._title) - 1)
        self.height = self._top + ROW * len(shown.items) + MARGIN

    def text(self) -> str:
        """Return the drawing as XML."""
        root = Element(
            "svg",
            {"xmlns": "http://www.w3.org/2000/svg", "width": str(self.width), "height": str(self.height), "role": "img",
             "viewBox": f"0 0 {self.width} {self.height}", "aria-labelledby": "title desc"},
        )  # fmt: skip
        SubElement(root, "title", {"id": "title"}).text = _drop_illegal(f"Trace of {self._shown.function}")
        SubElement(root, "desc", {"id": "desc"}).text = _drop_illegal(self._shown.headline)
        SubElement(root, "style").text = read_asset("drawing.css") + read_asset("marks.css")
        SubElement(root, "rect", {"class": "page", "width": "100%", "height": "100%"})
        self._draw_head(root)
        for number, item in enumerate(self._shown.items):
            self._draw_item(root, item, self._top + ROW * number)
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

    def _draw_item(self, root: Element, item: Item, top: int) -> None:
        kind = "row bad" if isinstance(item, Row) and item.role else "row"
        place = {"x": str(MARGIN), "y": str(top), "width": str(self.width - 2 * MARGIN), "height": str(ROW)}
        SubElement(root, "rect", {"class": kind, **place})
        if isinstance(item, Fold):
            lanes = self._board.draw_gap(item.first, item.last)
            _add_text(root, self._words, top + 20, f"▸ {item.words}", "words fold")
        else:
            lanes = self._board.draw_cell(item)
            if item.opens:
                _add_text(root, MARGIN + LINE - 14, top + 20, str(item.span.row), "line", end=True)
                _add_text(root, MARGIN + LINE, top + 20, self._sources[id(item)], "source")
            _add_text(root, self._words, top + 20, item.words, "words bad" if item.role else "words")
        place = {"x": str(self._lanes), "y": str(top), "width": str(self._board.width), "height": str(ROW)}
        SubElement(root, "svg", place).extend(lanes)

    def _find_source(self, item: Item, sources: Sources) -> str:
        if isinstance(item, Fold) or not item.opens:
            return ""
        source = source_line(item.span, sources)
        return source if len(source) <= MAX_SOURCE else source[: MAX_SOURCE - 1] + "…"


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
