"""The picture of a tape: its lanes, what happens on them from event to event, and what may be folded away.

Pure data, the same for predicted and observed tapes; `trace_text`, `trace_json`, `trace_svg` and `trace_html` draw it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from inplace_lsp.report.tape_names import alias_ways, first_names, subject
from inplace_lsp.report.tape_words import Speaker
from inplace_lsp.report.trace_folds import Part, rounds
from inplace_lsp.report.trace_lanes import Lane, lanes
from inplace_lsp.report.violations import Violation, violations
from inplace_lsp.tape.codec import KINDS
from inplace_lsp.tape.model import Backward, Check, Event, Free, Save, Span, Tape, Write

Origin = Literal["predicted", "observed"]
Role = Literal["saved", "written", "checked", "freed", "refused"]

MAX_LANES = 8
FEW_LANES = 4
"""So few storages are all shown, also those that have no part in a violation."""
SMALL = 60
"""A tape of so few events is shown whole."""
FEW = 3
"""So many events beside the point in a row are put away; fewer are quicker read."""
TOLD = 3
"""So many violations are kept in sight, whatever repeats around them."""


@dataclass(frozen=True, slots=True)
class Mark:
    """What an event does on a track. `version`: the counter before it (of a check: the one saved); `after`: behind a
    write (of a check: the one found). Not `fine`: it is part of a violation."""

    kind: str
    lane: int
    track: int
    version: int | None = None
    after: int | None = None
    fine: bool = True


@dataclass(frozen=True, slots=True)
class Row:
    """One event. `opens`: the first of its statement. `role`: its part in a violation, "" for none.

    `apart`: it concerns no tensor that is shown.
    """

    index: int
    kind: str
    span: Span
    words: str
    marks: tuple[Mark, ...]
    role: Role | Literal[""] = ""
    opens: bool = True
    apart: bool = False


@dataclass(frozen=True, slots=True)
class Fold:
    """Rows that are put away. *apart*: they concern no tensor that is shown. *again*: more rounds of a loop."""

    kind: Literal["apart", "again"]
    words: str
    items: tuple[Item, ...]
    first: int
    last: int


Item = Row | Fold


@dataclass(frozen=True, slots=True)
class Picture:
    """All there is to draw. `headline` is the one line to be seen first."""

    function: str
    origin: Origin
    headline: str
    violations: tuple[Violation, ...]
    lanes: tuple[Lane, ...]
    hidden_storages: int
    items: tuple[Item, ...]
    error: str | None
    notes: tuple[str, ...]
    events: int


def picture(tape: Tape, origin: Origin = "observed", at: Span | None = None, headline: str = "") -> Picture:
    """The picture of `tape`. Violations by a write at `at` come first; `headline` is said where there is none."""
    found = _first_at(tape, violations(tape), at)
    shown = _storages(tape.events, found)
    drawn = lanes(tape.events, shown)
    rows = tuple(_Rows(tape.events, drawn, found).all())
    return Picture(
        function=tape.function,
        origin=origin,
        headline=_headline(found, headline),
        violations=found,
        lanes=drawn,
        hidden_storages=len(_all_storages(tape.events)) - len(drawn),
        items=_opened(_folded(rows, found)),
        error=tape.error,
        notes=tape.notes,
        events=len(tape.events),
    )


def flat(items: Iterable[Item]) -> Iterator[Row]:
    """All rows of `items`, those that are put away too."""
    for item in items:
        if isinstance(item, Row):
            yield item
        else:
            yield from flat(item.items)


def _first_at(tape: Tape, found: Sequence[Violation], place: Span | None) -> tuple[Violation, ...]:
    """The violations with those at `place` in front."""

    def elsewhere(one: Violation) -> bool:
        spans = [tape.events[part].span for part in (*one.writes, one.refused, one.check) if part is not None]
        return place is None or place not in spans

    return tuple(sorted(found, key=elsewhere))


def _headline(found: Sequence[Violation], otherwise: str) -> str:
    if found:
        return found[0].sentence
    return otherwise or "nothing was written between a save and the backward that needs it"


def _distinct(found: Sequence[Violation]) -> list[Violation]:
    """One violation for each sentence: a loop tells the same again and again."""
    return list({one.sentence: one for one in reversed(found)}.values())[::-1]


def _kept(found: Sequence[Violation]) -> set[int]:
    """The events that stay in sight, whatever repeats around them."""
    return {part for one in _distinct(found)[:TOLD] for part in one.parts}


def _storages(events: Sequence[Event], found: Sequence[Violation]) -> list[int]:
    """The storages that get a lane: those of the violations; all of a small tape; else those with most to tell."""
    everything = _all_storages(events)
    if found:
        parts = (events[part] for one in _distinct(found) for part in one.parts)
        chosen = list(dict.fromkeys(one.storage for event in parts if (one := subject(event)) is not None))[:MAX_LANES]
        if len(events) <= SMALL and len(everything) <= FEW_LANES:
            return everything
        if chosen:
            return chosen
    return sorted(everything, key=lambda storage: -_interest(events)[storage])[:MAX_LANES]


def _all_storages(events: Iterable[Event]) -> list[int]:
    return list(dict.fromkeys(one.storage for event in events if (one := subject(event)) is not None))


def _interest(events: Iterable[Event]) -> Counter[int]:
    """How much there is to tell of each storage: writes to what was saved most of all."""
    saved: Counter[int] = Counter()
    interest: Counter[int] = Counter()
    for event in events:
        tensor = subject(event)
        if tensor is None:
            continue
        saved[tensor.storage] += isinstance(event, Save)
        interest[tensor.storage] += 100 if isinstance(event, Write) and saved[tensor.storage] else 1
    return interest


class _Rows:
    """Makes the rows of one tape."""

    def __init__(self, events: Sequence[Event], drawn: Sequence[Lane], found: Sequence[Violation]) -> None:
        self._events = events
        self._lanes = {lane.storage: number for number, lane in enumerate(drawn)}
        self._tracks = {(number, one.tensor): one.track for number, lane in enumerate(drawn) for one in lane.segments}
        self._saves = {event.key: event for event in events if isinstance(event, Save)}
        self._by_node: dict[int, list[Save]] = {}
        for save in self._saves.values():
            self._by_node.setdefault(save.node, []).append(save)
        self._roles = _roles(found)
        self._kept = _kept(found)
        self._walks = self._telling_walks()
        self._speaker = Speaker(first_names(events), alias_ways(events))

    def all(self) -> Iterator[Row]:
        """A row for every event."""
        for at, event in enumerate(self._events):
            role = self._roles.get(at)
            marks = tuple(self._marks(event, fine=role is None))
            tells = marks or at in self._kept or (isinstance(event, Backward) and event.key in self._walks)
            words = self._speaker.words(event)
            yield Row(at, KINDS[type(event)], event.span, words, marks, role or "", apart=not tells)

    def _telling_walks(self) -> set[int]:
        """The backwards that look at something that is shown."""
        found = set()
        for event in self._events:
            save = self._saves.get(event.save) if isinstance(event, Check) else None
            if isinstance(event, Check) and (event.freed or (save and save.tensor.storage in self._lanes)):
                found.add(event.backward)
        return found

    def _marks(self, event: Event, *, fine: bool) -> Iterator[Mark]:
        kind = KINDS[type(event)]
        if isinstance(event, Check):
            save = self._saves.get(event.save)
            if save and save.tensor.storage in self._lanes:
                lane, track = self._place(save)
                yield Mark(kind, lane, track, save.tensor.version, event.found_version, fine=fine)
        elif isinstance(event, Free):
            for save in self._by_node.get(event.node, []):
                if save.tensor.storage in self._lanes:
                    yield Mark(kind, *self._place(save), save.tensor.version)
        else:
            tensor = subject(event)
            if tensor is not None and tensor.storage in self._lanes:
                lane, track = self._place(event)
                after = event.version_after if isinstance(event, Write) else None
                yield Mark(kind, lane, track, tensor.version, after, fine=fine)

    def _place(self, event: Event) -> tuple[int, int]:
        tensor = subject(event)
        assert tensor is not None
        lane = self._lanes[tensor.storage]
        return lane, self._tracks.get((lane, tensor.id), 0)


def _roles(found: Sequence[Violation]) -> dict[int, Role]:
    roles: dict[int, Role] = {}
    for one in found:
        roles |= dict.fromkeys(one.writes, "written")
        named: tuple[tuple[int | None, Role], ...] = (
            (one.save, "saved"), (one.freed, "freed"), (one.refused, "refused"), (one.check, "checked"),
        )  # fmt: skip
        roles |= {part: role for part, role in named if part is not None}
    return roles


def _folded(rows: Sequence[Row], found: Sequence[Violation]) -> tuple[Item, ...]:
    """The rows with what is beside the point, and further rounds of loops, put away."""
    groups: list[tuple[Row, ...]] = []
    for row in rows:
        if row.apart and groups and groups[-1][-1].apart:
            groups[-1] = (*groups[-1], row)
        else:
            groups.append((row,))
    small = len(rows) <= SMALL and not found
    parts = rounds([_signature(group, _kept(found)) for group in groups])
    return tuple(item for part in parts for item in _items(part, groups, small))


def _signature(group: Sequence[Row], kept: set[int]) -> Hashable:
    """What makes two rounds of a loop alike: the same happens at the same place, whatever the version."""
    first = group[0]
    if first.index in kept:
        return first.index
    if first.apart:
        return "apart"
    marks = tuple((mark.kind, mark.lane, mark.track, mark.fine) for mark in first.marks)
    return first.kind, first.span, first.role, marks


def _items(part: Part, groups: Sequence[tuple[Row, ...]], small: bool) -> Iterator[Item]:
    if isinstance(part, int):
        group = groups[part]
        if group[0].apart and len(group) >= FEW and not small:
            more = len({row.index for row in group if row.role == "checked"})
            like = f", {more} more violations among them" if more > 1 else ", one more violation among them" * more
            yield _fold("apart", f"{len(group)} events of other tensors{like}", group)
        else:
            yield from group
        return
    for one in part.first:
        yield from _items(one, groups, small)
    rest = tuple(item for one in part.rest for item in _items(one, groups, small))
    more = part.times - 1
    rows = list(flat(rest))
    low, high = min(row.span.row for row in rows), max(row.span.row for row in rows)
    lines = f"line {low}" if low == high else f"lines {low} to {high}"
    yield _fold("again", f"the same again {more} times ({lines}, {len(rows)} events)", rest)


def _fold(kind: Literal["apart", "again"], words: str, items: tuple[Item, ...]) -> Fold:
    rows = list(flat(items))
    return Fold(kind, words, items, rows[0].index, rows[-1].index)


def _opened(items: tuple[Item, ...]) -> tuple[Item, ...]:
    """The items with the first row of every statement marked as such."""
    done: list[Item] = []
    before: Span | None = None
    for item in items:
        if isinstance(item, Row):
            done.append(replace(item, opens=item.span != before))
            before = item.span
        else:
            done.append(replace(item, items=_opened(item.items)))
            before = None
    return tuple(done)
