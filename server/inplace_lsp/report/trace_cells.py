"""One row of a picture drawn: the tracks that run through it and what happens on them, as SVG elements.

Each row is drawn on its own, so that rows can be folded, wrapped and printed: a track enters at the top of its row and
leaves at the bottom, however high the row becomes. Elements carry classes only; the style sheets give them colours.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement

from inplace_lsp.report.trace import Mark, Picture, Row, flatten_items
from inplace_lsp.report.trace_lanes import Lane, RunningSegments, Segment

ROW = 30
"""The height of a row of one line."""
MIDDLE = 15
THREAD = 14
"""Position, in a lane with a violation, of the line that joins its save, writes and check."""
PINS = 14
TRACKS = 48
STEP = 26
RIGHT = 24
LETTER = 8
LONGEST_TITLE = 16


@dataclass(frozen=True, slots=True)
class Column:
    """A lane and its position in the drawing."""

    number: int
    lane: Lane
    left: int
    threaded: bool
    running: RunningSegments

    @property
    def pins(self) -> int:
        """Return the position of saves and checks that are not part of a violation."""
        return self.left + PINS + (30 if self.threaded else 0)

    @property
    def title(self) -> str:
        """Return the title above the lane, shortened to its width."""
        title = self.lane.title
        return title if len(title) <= LONGEST_TITLE else "…" + title[1 - LONGEST_TITLE :]

    @property
    def right(self) -> int:
        """Return the right end of the lane: after its last track and its title."""
        return max(self.find_middle(self.lane.tracks - 1), self.find_middle(0) + LETTER * len(self.title) // 2) + RIGHT

    def find_middle(self, track: int) -> int:
        """Return the middle of a track."""
        return self.pins + TRACKS - PINS + STEP * track


@dataclass(frozen=True, slots=True)
class Thread:
    """The line from a violation's save to its check, along lane number `lane`."""

    lane: int
    first: int
    last: int


class Board:
    """The positions of everything in a picture."""

    def __init__(self, shown: Picture) -> None:
        self._threads = list(_find_threads(shown))
        self.columns = list(_place_columns(shown.lanes, {thread.lane for thread in self._threads}))
        self.width = self.columns[-1].right if self.columns else 0

    def draw_cell(self, row: Row) -> list[Element]:
        """Return the drawing of a row, back to front."""
        canvas = Element("g")
        for column in self.columns:
            for segment in column.running.find_at(row.index):
                self._draw_track(canvas, column, segment, row)
        self._draw_threads(canvas, row.index)
        for mark in row.marks:
            kind = "reject" if row.role == "refused" else mark.kind
            _MARKS[kind](canvas, self.columns[mark.lane], mark)
        return list(canvas)

    def draw_gap(self, first: int, last: int) -> list[Element]:
        """Return the drawing of the tracks that leave the folded rows `first` to `last`, run through or begin there."""
        canvas = Element("g")
        for column in self.columns:
            for segment in column.running.find_at(last):
                if segment.last > last:
                    x, through = column.find_middle(segment.track), segment.first < first
                    _add_line(canvas, x, "0" if through else str(MIDDLE), "100%", "track put-away")
                    if not through and segment.origin is not None:
                        _draw_branch(canvas, column.find_middle(segment.origin), x)
        for thread in self._threads:
            if thread.first < first and thread.last > last:
                _add_line(canvas, self.columns[thread.lane].left + THREAD, "0", "100%", "thread")
        return list(canvas)

    def _draw_track(self, canvas: Element, column: Column, segment: Segment, row: Row) -> None:
        x = column.find_middle(segment.track)
        top, bottom = segment.first < row.index, segment.last > row.index
        if top or bottom:
            kind = "track" if segment.track == 0 else "track alias"
            _add_line(canvas, x, "0" if top else str(MIDDLE), "100%" if bottom else str(MIDDLE), kind)
        if not top and segment.origin is not None:
            _draw_branch(canvas, column.find_middle(segment.origin), x)

    def _draw_threads(self, canvas: Element, index: int) -> None:
        for thread in self._threads:
            if thread.first <= index <= thread.last:
                top = "0" if thread.first < index else str(MIDDLE)
                bottom = "100%" if index < thread.last else str(MIDDLE)
                _add_line(canvas, self.columns[thread.lane].left + THREAD, top, bottom, "thread")


def _place_columns(lanes: Sequence[Lane], threaded: Collection[int]) -> Iterable[Column]:
    left = 0
    for number, lane in enumerate(lanes):
        column = Column(number, lane, left, number in threaded, RunningSegments(lane))
        column = replace(column, left=left + max(0, LETTER * len(column.title) // 2 - (column.find_middle(0) - left)))
        yield column
        left = column.right


def _find_threads(shown: Picture) -> Iterable[Thread]:
    rows = {row.index: row for row in flatten_items(shown.items)}
    seen = set()
    for event in [shown.story] if shown.story is not None else shown.violations:
        if event.save is None or event.check is None or event.sentence in seen:
            continue
        seen.add(event.sentence)
        marks = rows[event.save].marks
        if marks:
            yield Thread(marks[0].lane, event.save, event.check)


def _draw_branch(canvas: Element, start: int, end: int) -> None:
    """Draw the start of a track, which branches off the track with the same memory."""
    path = f"M{start} {MIDDLE - 10}C{start} {MIDDLE + 1} {end} {MIDDLE - 10} {end} {MIDDLE}"
    SubElement(canvas, "path", {"class": "branch", "d": path})


def _draw_create(canvas: Element, column: Column, mark: Mark) -> None:
    _add_pill(canvas, column.find_middle(mark.track), mark.version, "made")


def _draw_view(canvas: Element, column: Column, mark: Mark) -> None:
    x = column.find_middle(mark.track)
    SubElement(canvas, "circle", {"class": "view", "cx": str(x), "cy": str(MIDDLE), "r": "5"})


def _draw_save(canvas: Element, column: Column, mark: Mark) -> None:
    x = _find_gutter(column, mark)
    trouble = "" if mark.fine else " bad"
    _add_cross_line(canvas, x, column.find_middle(mark.track), "pin" + trouble)
    _add_dot(canvas, column.find_middle(mark.track), "pin" + trouble)
    SubElement(canvas, "circle", {"class": "pin" + trouble, "cx": str(x), "cy": str(MIDDLE), "r": "10"})
    _add_number(canvas, x, mark.version, "pin" + trouble)


def _draw_write(canvas: Element, column: Column, mark: Mark) -> None:
    trouble = "" if mark.fine else " bad"
    if not mark.fine:
        _add_cross_line(canvas, column.left + THREAD, column.find_middle(mark.track), "pin bad")
    unseen = " unseen" if mark.after == mark.version else ""
    _add_pill(canvas, column.find_middle(mark.track), mark.after, "write" + unseen + trouble)


def _draw_check(canvas: Element, column: Column, mark: Mark) -> None:
    x = _find_gutter(column, mark)
    _add_cross_line(canvas, x, column.find_middle(mark.track), "look" if mark.fine else "pin bad")
    _add_dot(canvas, column.find_middle(mark.track), "look" if mark.fine else "pin bad")
    if mark.fine:
        SubElement(canvas, "circle", {"class": "look", "cx": str(x), "cy": str(MIDDLE), "r": "9"})
        tick = f"M{x - 4} {MIDDLE}l3 3.5 5-7"
        SubElement(canvas, "path", {"class": "tick", "d": tick})
        return
    corner = 12
    shape = f"M{x} {MIDDLE - corner}l{corner} {corner}-{corner} {corner}-{corner}-{corner}z"
    SubElement(canvas, "path", {"class": "fail", "d": shape})
    _add_number(canvas, x, mark.after, "fail")


def _draw_free(canvas: Element, column: Column, mark: Mark) -> None:
    x = _find_gutter(column, mark)
    kind = "free" if mark.fine else "free bad"
    SubElement(canvas, "circle", {"class": kind, "cx": str(x), "cy": str(MIDDLE), "r": "4"})


def _draw_refusal(canvas: Element, column: Column, mark: Mark) -> None:
    x = column.find_middle(mark.track)
    SubElement(canvas, "rect", {"class": "fail", "x": str(x - 10), "y": str(MIDDLE - 10), "width": "20", "height": "20",
                                "rx": "3"})  # fmt: skip
    SubElement(canvas, "path", {"class": "cross", "d": f"M{x - 4} {MIDDLE - 4}l8 8m0-8l-8 8"})


def _draw_swap(canvas: Element, column: Column, mark: Mark) -> None:
    _add_pill(canvas, column.find_middle(mark.track), mark.version, "write unseen")


_MARKS = {
    "create": _draw_create,
    "view": _draw_view,
    "save": _draw_save,
    "write": _draw_write,
    "set-data": _draw_swap,
    "check": _draw_check,
    "free": _draw_free,
    "reject": _draw_refusal,
}


def _find_gutter(column: Column, mark: Mark) -> int:
    return column.pins if mark.fine else column.left + THREAD


def _add_line(canvas: Element, x: int, top: str, bottom: str, kind: str) -> None:
    SubElement(canvas, "line", {"class": kind, "x1": str(x), "y1": top, "x2": str(x), "y2": bottom})


def _add_cross_line(canvas: Element, left: int, right: int, kind: str) -> None:
    place = {"x1": str(left), "y1": str(MIDDLE), "x2": str(right), "y2": str(MIDDLE)}
    SubElement(canvas, "line", {"class": f"across {kind}", **place})


def _add_dot(canvas: Element, x: int, kind: str) -> None:
    SubElement(canvas, "circle", {"class": f"dot {kind}", "cx": str(x), "cy": str(MIDDLE), "r": "3.5"})


def _add_pill(canvas: Element, x: int, version: int | None, kind: str) -> None:
    text = "" if version is None else str(version)
    width = max(22, 8 * len(text) + 10)
    place = {"x": str(x - width / 2), "y": str(MIDDLE - 9), "width": str(width), "height": "18", "rx": "5"}
    SubElement(canvas, "rect", {"class": kind, **place})
    _add_number(canvas, x, version, kind)


def _add_number(canvas: Element, x: int, content: int | None, kind: str) -> None:
    if content is not None:
        place = {"x": str(x), "y": str(MIDDLE + 4), "text-anchor": "middle"}
        SubElement(canvas, "text", {"class": f"number {kind}", **place}).text = str(content)
