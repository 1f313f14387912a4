"""Positions of a tape's tensors: a lane for each storage, in it a track for each alias."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from inplace_lsp.hazards.parts import UNNAMED
from inplace_lsp.report.tape_names import find_first_names, find_stand_in_names, list_tensors
from inplace_lsp.tape.model import Check, Create, Event, Free, Reject, Save, SetData, TensorState, View

MAX_TRACKS = 4
"""Maximum number of aliases of one storage that are drawn side by side; others share the last track."""


@dataclass(frozen=True, slots=True)
class Segment:
    """A tensor's part of a track, from its first event to its last (indices of events).

    `origin` is the track from which it branches off, None for the first tensor of the lane.
    """

    tensor: int
    counter: int
    name: str
    track: int
    first: int
    last: int
    origin: int | None = None


@dataclass(frozen=True, slots=True)
class Lane:
    """One storage. `tracks` is how many tracks lie side by side in it; track 0 belongs to its first tensor."""

    storage: int
    title: str
    tracks: int
    first: int
    last: int
    segments: tuple[Segment, ...]

    def list_segments_on(self, track: int) -> list[Segment]:
        """Return the segments of one track, in order of time."""
        return [segment for segment in self.segments if segment.track == track]


def place_lanes(events: Sequence[Event], storages: Collection[int]) -> tuple[Lane, ...]:
    """Return the lanes of `storages`, in the order in which they appear on the tape."""
    names, unnamed = find_first_names(events), find_stand_in_names(events)
    folded = find_folded_tensors(events)
    spans: dict[int, dict[int, _Span]] = {}
    saves = _SavedTensors()
    for at, event in enumerate(events):
        for tensor, origin in (*_list_tensors(event), *saves.find_tensors_read(event)):
            if tensor.storage in storages:
                here = spans.setdefault(tensor.storage, {})
                drawn = folded.get(tensor.id, tensor.id)
                span = here.setdefault(drawn, _Span(tensor, at, None if origin is None else folded.get(origin, origin)))
                span.last = at
    return tuple(_make_lane(storage, list(found.items()), names, unnamed) for storage, found in spans.items())


def find_folded_tensors(events: Iterable[Event]) -> dict[int, int]:
    """Return the tensors that are drawn on another's track, each with that tensor: views without a name on that of
    their base, and objects that no event begins on that of the first tensor with their name. All share its counter."""
    events = list(events)
    names = find_first_names(events)
    begun = {event.tensor.id for event in events if isinstance(event, (Create, View))}
    first: dict[tuple[int, str], int] = {}
    folded: dict[int, int] = {}
    for event in events:
        for tensor in list_tensors(event):
            if isinstance(event, View) and tensor.id == event.tensor.id and not names[tensor.id]:
                if tensor.counter == event.of.counter:
                    folded[tensor.id] = folded.get(event.of.id, event.of.id)
            elif names[tensor.id]:
                known = first.setdefault((tensor.counter, names[tensor.id]), tensor.id)
                if known != tensor.id and tensor.id not in begun:
                    folded[tensor.id] = known
    return folded


class _SavedTensors:
    """The saves so far: a saved tensor is drawn up to the backward that needs it."""

    def __init__(self) -> None:
        self._by_key: dict[int, Save] = {}
        self._by_node: dict[int, list[Save]] = {}

    def find_tensors_read(self, event: Event) -> Iterator[tuple[TensorState, None]]:
        """Yield the saved tensors that a backward reads or releases at `event`."""
        if isinstance(event, Save):
            self._by_key[event.key] = event
            self._by_node.setdefault(event.node, []).append(event)
        elif isinstance(event, Check) and event.save in self._by_key:
            yield self._by_key[event.save].tensor, None
        elif isinstance(event, Free):
            yield from ((save.tensor, None) for save in self._by_node.get(event.node, ()))


class _Span:
    """A tensor whose last event is not found yet."""

    def __init__(self, tensor: TensorState, first: int, origin: int | None) -> None:
        self.tensor = tensor
        self.first = first
        self.last = first
        self.origin = origin


def _list_tensors(event: Event) -> Iterator[tuple[TensorState, int | None]]:
    """Yield the tensors of an event, each with the id of the tensor it is made from."""
    if isinstance(event, View):
        yield event.of, None
        yield event.tensor, event.of.id
    elif isinstance(event, SetData):
        yield event.tensor, None
        yield event.value, None
    elif isinstance(event, Reject):
        yield event.tensor, None
    else:
        yield from ((tensor, None) for tensor in list_tensors(event))


def _make_lane(storage: int, drawn: list[tuple[int, _Span]], names: dict[int, str], unnamed: dict[int, str]) -> Lane:
    """Return the lane of a storage from the tensors that get a track, by their ids."""
    found = [span for _, span in drawn]
    first, last = found[0].first, max(span.last for span in found)
    tracks = {drawn[0][0]: 0}
    segments = [_make_segment(found[0], 0, names, None, last)]
    free_from: list[int] = [last]  # the last event on each track
    for tensor, span in drawn[1:]:
        track = _find_free_track(free_from, span)
        tracks[tensor] = track
        origin = tracks.get(span.origin, 0) if span.origin is not None else 0
        segments.append(_make_segment(span, track, names, origin, span.last))
    title = next((names[span.tensor.id] for span in found if names.get(span.tensor.id)), "") or unnamed.get(
        found[0].tensor.id, UNNAMED
    )
    return Lane(storage, title, len(free_from), first, last, tuple(segments))


def _find_free_track(free_from: list[int], span: _Span) -> int:
    """Return a track that is free when the tensor appears, a new one, or the last if there are too many."""
    for track in range(1, len(free_from)):
        if free_from[track] < span.first:
            free_from[track] = span.last
            return track
    if len(free_from) < MAX_TRACKS:
        free_from.append(span.last)
        return len(free_from) - 1
    free_from[-1] = max(free_from[-1], span.last)
    return len(free_from) - 1


def _make_segment(span: _Span, track: int, names: dict[int, str], origin: int | None, last: int) -> Segment:
    tensor = span.tensor
    return Segment(tensor.id, tensor.counter, names.get(tensor.id, ""), track, span.first, last, origin)


class RunningSegments:
    """Finds the segments that run through an event; a lane may have thousands."""

    def __init__(self, lane: Lane) -> None:
        self._tracks = [
            sorted(lane.list_segments_on(track), key=lambda segment: segment.first) for track in range(lane.tracks)
        ]
        self._starts = [[segment.first for segment in track] for track in self._tracks]

    def find_at(self, index: int) -> Iterator[Segment]:
        """Yield the segments that run at event `index`, one a track."""
        for segments, starts in zip(self._tracks, self._starts, strict=True):
            at = bisect_right(starts, index) - 1
            if at >= 0 and segments[at].last >= index:
                yield segments[at]
