"""The picture of a tape: its lanes, the events on them, and the rows that may be folded.

Pure data, the same for predicted and observed tapes; `trace_text`, `trace_json`, `trace_svg` and `trace_html` draw it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Literal

from inplace_lsp.report.story import is_at
from inplace_lsp.report.tape_names import find_subject
from inplace_lsp.report.tape_words import describe_events
from inplace_lsp.report.trace_folds import Part, fold_rounds
from inplace_lsp.report.trace_lanes import Lane, find_folded_tensors, place_lanes
from inplace_lsp.report.violations import Violation, describe_conditions, describe_stop, find_violations
from inplace_lsp.tape.codec import KINDS
from inplace_lsp.tape.model import Backward, Check, Create, Event, Free, Save, Span, Tape, View, Write

Origin = Literal["predicted", "observed"]
Role = Literal["saved", "written", "checked", "freed", "refused"]

MAX_LANES = 8
FEW_LANES = 4
"""Maximum number of storages that are all shown, also those outside the violation."""
SMALL = 60
"""Maximum number of events of a tape that is shown whole."""
FEW = 3
"""Minimum number of adjacent irrelevant events to fold: fewer are quicker to read unfolded."""
FEWEST = 2
"""Minimum number of adjacent events outside the story to fold."""
SCREENFUL = 12
"""Maximum number of events of a story that is shown whole."""
STORIES = 12
"""Maximum number of violations of a tape that are described separately; the others are counted."""
WRITES = 4
"""Maximum number of writes of one story that are shown: the first ones and the last."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What an event does on a track."""

    kind: str
    lane: int
    track: int
    version: int | None = None
    """The version before the event; of a check, the saved version."""
    after: int | None = None
    """The version after a write; of a check, the version that it found."""
    fine: bool = True
    """Whether it is not part of a violation."""


@dataclass(frozen=True, slots=True)
class Row:
    """The row of one event."""

    index: int
    kind: str
    span: Span
    words: str
    marks: tuple[Mark, ...]
    role: Role | Literal[""] = ""
    """Its part in the violation, "" for none."""
    opens: bool = True
    """Whether it is the first event of its statement."""
    apart: bool = False
    """Whether it concerns none of the tensors that are shown."""
    stops: bool = False
    """Whether torch ends the program here; later rows show what would happen if it did not."""


@dataclass(frozen=True, slots=True)
class Fold:
    """Folded rows. *apart*: they concern no tensor that is shown. *again*: more rounds of a loop. *beside*: they are
    not part of the story."""

    kind: Literal["apart", "again", "beside"]
    words: str
    items: tuple[Item, ...]
    first: int
    last: int


Item = Row | Fold


@dataclass(frozen=True, slots=True)
class Picture:
    """Everything to draw."""

    function: str
    origin: Origin
    headline: str
    """The sentence to read first."""
    violations: tuple[Violation, ...]
    """The violations, one for each sentence, that of the story first."""
    story: Violation | None
    """The violation that is shown; None if the whole tape is shown."""
    lanes: tuple[Lane, ...]
    hidden_storages: int
    items: tuple[Item, ...]
    error: str | None
    notes: tuple[str, ...]
    events: int


def draw_picture(tape: Tape, origin: Origin = "observed", at: Span | None = None, headline: str = "") -> Picture:
    """Return the picture of one story of `tape`: the violation by a write at `at` with the fewest assumptions, else the
    first. `headline` is shown if there is no violation at all."""
    found = _order_by_place(tape, find_violations(tape), at)
    return _Painter(tape, origin, headline).draw_picture(found, found[0] if found else None)


def draw_stories(
    tape: Tape, origin: Origin = "observed", at: Span | None = None, headline: str = ""
) -> tuple[Picture, ...]:
    """Return a picture for each violation, that of `draw_picture` first, and one of the whole tape last, unless the
    first shows all of it."""
    found = _order_by_place(tape, find_violations(tape), at)
    painter = _Painter(tape, origin, headline)
    chosen = [
        painter.draw_picture((violation, *(rival for rival in found if rival is not violation)), violation)
        for violation in found[:STORIES]
    ]
    if len(chosen) == 1 and len(tape.events) <= SCREENFUL:
        return tuple(chosen)
    return (*chosen, painter.draw_picture(found, None))


def draw_whole_tape(tape: Tape, origin: Origin = "observed", at: Span | None = None, headline: str = "") -> Picture:
    """Return the picture of the whole tape with its repetitions folded."""
    return _Painter(tape, origin, headline).draw_picture(_order_by_place(tape, find_violations(tape), at), None)


class _Painter:
    """Makes pictures of one tape."""

    def __init__(self, tape: Tape, origin: Origin, headline: str) -> None:
        self._tape, self._origin, self._otherwise = tape, origin, headline
        self._words = describe_events(tape.events)

    def draw_picture(self, found: tuple[Violation, ...], story: Violation | None) -> Picture:
        """Return the picture of `story`, one of the violations `found`; None: of the whole tape."""
        events, stories = self._tape.events, found if story is None else (story,)
        drawn = place_lanes(events, _select_storages(events, story, found))
        stops = frozenset(self._tape.refusals)
        rows = tuple(_RowMaker(events, self._say_conditions(stories), drawn, stories, stops).make_rows())
        return Picture(
            function=self._tape.function,
            origin=self._origin,
            headline=_choose_headline(found, self._otherwise),
            violations=found,
            story=story,
            lanes=drawn,
            hidden_storages=len(_list_storages(events)) - len(drawn),
            items=_mark_first_rows(_fold_rows(rows, events, story, found)),
            error=self._tape.error,
            notes=self._tape.notes,
            events=len(events),
        )

    def _say_conditions(self, violations: Iterable[Violation]) -> Sequence[str]:
        """Return the words of all events. Events of the violations also say under which tests of the program they
        happen; events at which torch ends the program say so."""
        words = list(self._words)
        for part in {part for violation in violations for part in violation.parts}:
            words[part] += describe_conditions(self._tape.list_conditions((self._tape.events[part],)))
        for part in self._tape.refusals:
            words[part] += f"; {describe_stop(self._tape, part)}"
        return words


def flatten_items(items: Iterable[Item]) -> Iterator[Row]:
    """Yield all rows of `items`, the folded ones too."""
    for item in items:
        if isinstance(item, Row):
            yield item
        else:
            yield from flatten_items(item.items)


def _order_by_place(tape: Tape, found: Sequence[Violation], place: Span | None) -> tuple[Violation, ...]:
    """Return each violation once (a loop repeats it with other versions): those at `place` first, then those with the
    fewest assumptions."""
    distinct = list({_identify_violation(tape, node): node for node in reversed(found)}.values())[::-1]
    there = sorted(
        (violation for violation in distinct if is_at(tape, violation, place)),
        key=lambda violation: len(violation.conditions),
    )
    return (*there, *(violation for violation in distinct if violation not in there))


def _identify_violation(tape: Tape, found: Violation) -> Hashable:
    """Return what identifies a violation in all rounds of a loop: its events, their places and the tensor's name."""
    events = [tape.events[part] for part in found.parts]
    names = tuple(tensor.name if (tensor := find_subject(event)) is not None else "" for event in events)
    return found.kind, names, tuple(dict.fromkeys(event.span for event in events))


def _choose_headline(found: Sequence[Violation], otherwise: str) -> str:
    if found:
        return found[0].sentence
    return otherwise or "nothing was written between a save and the backward that needs it"


def _select_storages(events: Sequence[Event], story: Violation | None, found: Sequence[Violation]) -> list[int]:
    """Return the storages that get a lane: those of the story, or for the whole tape all or the most interesting."""
    if story is not None:
        chosen = [tensor.storage for part in story.parts if (tensor := find_subject(events[part])) is not None]
        if chosen:
            return list(dict.fromkeys(chosen))[:MAX_LANES]
    everything = _list_storages(events)
    if found and (
        parts := [tensor.storage for v in found for p in v.parts if (tensor := find_subject(events[p])) is not None]
    ):
        everything = list(dict.fromkeys([*parts, *everything]))
        small = len(events) <= SMALL and len(everything) <= FEW_LANES
        return everything if small else list(dict.fromkeys(parts))[:MAX_LANES]
    return sorted(everything, key=lambda storage: -_rank_storages(events)[storage])[:MAX_LANES]


def _list_storages(events: Iterable[Event]) -> list[int]:
    return list(dict.fromkeys(tensor.storage for event in events if (tensor := find_subject(event)) is not None))


def _rank_storages(events: Iterable[Event]) -> Counter[int]:
    """Return how interesting each storage is: writes to saved memory count most."""
    saved: Counter[int] = Counter()
    interest: Counter[int] = Counter()
    for event in events:
        tensor = find_subject(event)
        if tensor is None:
            continue
        saved[tensor.storage] += isinstance(event, Save)
        interest[tensor.storage] += 100 if isinstance(event, Write) and saved[tensor.storage] else 1
    return interest


class _RowMaker:
    """Makes the rows of one tape."""

    def __init__(
        self,
        events: Sequence[Event],
        words: Sequence[str],
        drawn: Sequence[Lane],
        found: Sequence[Violation],
        stops: Collection[int],
    ) -> None:
        self._events, self._words, self._stops = events, words, stops
        self._lanes = {lane.storage: number for number, lane in enumerate(drawn)}
        self._tracks = {
            (number, segment.tensor): segment.track for number, lane in enumerate(drawn) for segment in lane.segments
        }
        self._folded = find_folded_tensors(events)
        self._saves = {event.key: event for event in events if isinstance(event, Save)}
        self._by_node: dict[int, list[Save]] = {}
        for save in self._saves.values():
            self._by_node.setdefault(save.node, []).append(save)
        self._roles = _find_roles(found)
        self._kept = {part for violation in found for part in violation.parts}
        self._walks = self._find_shown_backwards()

    def make_rows(self) -> Iterator[Row]:
        """Yield a row for every event."""
        for at, (event, words) in enumerate(zip(self._events, self._words, strict=True)):
            role = self._roles.get(at)
            marks = tuple(self._make_marks(event, fine=role is None))
            stops = at in self._stops
            tells = marks or stops or at in self._kept or (isinstance(event, Backward) and event.key in self._walks)
            yield Row(at, KINDS[type(event)], event.span, words, marks, role or "", apart=not tells, stops=stops)

    def _find_shown_backwards(self) -> set[int]:
        """Return the backwards that read something in the picture."""
        found = set()
        for event in self._events:
            save = self._saves.get(event.save) if isinstance(event, Check) else None
            if isinstance(event, Check) and (event.freed or (save and save.tensor.storage in self._lanes)):
                found.add(event.backward)
        return found

    def _make_marks(self, event: Event, *, fine: bool) -> Iterator[Mark]:
        kind = KINDS[type(event)]
        if isinstance(event, Check):
            save = self._saves.get(event.save)
            if save and save.tensor.storage in self._lanes:
                lane, track = self._find_place(save)
                yield Mark(kind, lane, track, save.tensor.version, event.found_version, fine=fine)
        elif isinstance(event, Free):
            for save in self._by_node.get(event.node, []):
                if save.tensor.storage in self._lanes:
                    yield Mark(kind, *self._find_place(save), save.tensor.version)
        else:
            tensor = find_subject(event)
            if tensor is not None and tensor.storage in self._lanes:
                lane, track = self._find_place(event)
                after = event.version_after if isinstance(event, Write) else None
                yield Mark(kind, lane, track, tensor.version, after, fine=fine)

    def _find_place(self, event: Event) -> tuple[int, int]:
        tensor = find_subject(event)
        assert tensor is not None
        lane = self._lanes[tensor.storage]
        return lane, self._tracks.get((lane, self._folded.get(tensor.id, tensor.id)), 0)


def _find_roles(found: Sequence[Violation]) -> dict[int, Role]:
    roles: dict[int, Role] = {}
    for violation in found:
        roles |= dict.fromkeys(violation.writes, "written")
        named: tuple[tuple[int | None, Role], ...] = (
            (violation.save, "saved"),
            (violation.freed, "freed"),
            (violation.refused, "refused"),
            (violation.check, "checked"),
        )
        roles |= {part: role for part, role in named if part is not None}
    return roles


def _fold_rows(
    rows: Sequence[Row], events: Sequence[Event], story: Violation | None, found: Sequence[Violation]
) -> tuple[Item, ...]:
    """Return the rows with irrelevant events, and repeated rounds of loops, folded."""
    if story is None:
        return _fold_rounds(
            rows, {part for violation in found[:1] for part in violation.parts}, small=len(rows) <= SMALL
        )
    kept = _select_events(events, story) | {row.index for row in rows if row.stops and row.index < story.parts[-1]}
    if len(rows) <= SCREENFUL:
        return tuple(rows)
    items: list[Item] = []
    for is_kept, group in groupby(rows, key=lambda row: row.index in kept):
        beside = tuple(group)
        if is_kept or len(beside) < FEWEST:
            items += beside
        else:
            items.append(
                _make_fold("beside", _describe_beside(beside, story), _fold_rounds(beside, set(), small=False))
            )
    return tuple(items)


def _select_events(events: Sequence[Event], story: Violation) -> set[int]:
    """Return the events of a story that are shown: the tensor's creation, the save, the writes, the backward's start
    and end."""
    writes = story.writes if len(story.writes) <= WRITES else (*story.writes[: WRITES - 1], story.writes[-1])
    kept = set(story.parts) - set(story.writes) | set(writes)
    ids = {tensor.id for part in kept if (tensor := find_subject(events[part])) is not None}
    walks = {end.backward for part in story.parts if isinstance(end := events[part], Check | Free)}
    for at, event in enumerate(events):
        made = isinstance(event, Create | View) and event.tensor.id in ids and at < story.parts[-1]
        if made or (isinstance(event, Backward) and event.key in walks):
            kept.add(at)
    return kept


def _describe_beside(rows: Sequence[Row], story: Violation) -> str:
    """Return the text of a fold of events beside the story."""
    first, last = story.parts[0], story.parts[-1]
    where = "before" if rows[-1].index < first else "after" if rows[0].index > last else "in between"
    writes = len(set(story.writes) & {row.index for row in rows})
    return f"{len(rows)} events {where}{f', {writes} more writes among them' if writes else ''}"


def _fold_rounds(rows: Sequence[Row], kept: set[int], *, small: bool) -> tuple[Item, ...]:
    """Return the rows with events of other tensors, and repeated rounds of loops, folded."""
    groups: list[tuple[Row, ...]] = []
    for row in rows:
        if row.apart and groups and groups[-1][-1].apart:
            groups[-1] = (*groups[-1], row)
        else:
            groups.append((row,))
    parts = fold_rounds([_make_signature(group, kept) for group in groups])
    return tuple(item for part in parts for item in _make_items_of_part(part, groups, small))


def _make_signature(group: Sequence[Row], kept: set[int]) -> Hashable:
    """Return what makes two rounds of a loop alike: the same events at the same places, whatever the version."""
    first = group[0]
    if first.index in kept:
        return first.index
    if first.apart:
        return "apart"
    marks = tuple((mark.kind, mark.lane, mark.track, mark.fine) for mark in first.marks)
    return first.kind, first.span, first.role, marks


def _make_items_of_part(part: Part, groups: Sequence[tuple[Row, ...]], small: bool) -> Iterator[Item]:
    if isinstance(part, int):
        yield from _make_items_of_group(groups[part], small)
        return
    for inner in part.first:
        yield from _make_items_of_part(inner, groups, small)
    rest = tuple(item for inner in part.rest for item in _make_items_of_part(inner, groups, small))
    rows = list(flatten_items(rest))
    low, high = min(row.span.row for row in rows), max(row.span.row for row in rows)
    lines = f"line {low}" if low == high else f"lines {low} to {high}"
    yield _make_fold("again", f"the same again {part.times - 1} times ({lines}, {len(rows)} events)", rest)


def _make_items_of_group(group: tuple[Row, ...], small: bool) -> Iterator[Item]:
    """Yield the rows, or one fold of them if there are many of other tensors than the violation's."""
    if small or not group[0].apart or len(group) < FEW:
        yield from group
        return
    more = len({row.index for row in group if row.role == "checked"})
    like = f", {more} more violations among them" if more > 1 else ", one more violation among them" * more
    yield _make_fold("apart", f"{len(group)} events of other tensors{like}", group)


def _make_fold(kind: Literal["apart", "again", "beside"], words: str, items: tuple[Item, ...]) -> Fold:
    rows = list(flatten_items(items))
    return Fold(kind, words, items, rows[0].index, rows[-1].index)


def _mark_first_rows(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return the items with the first row of every statement marked."""
    done: list[Item] = []
    before: Span | None = None
    for item in items:
        if isinstance(item, Row):
            done.append(replace(item, opens=item.span != before))
            before = item.span
        else:
            done.append(replace(item, items=_mark_first_rows(item.items)))
            before = None
    return tuple(done)
