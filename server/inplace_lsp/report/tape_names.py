"""Who the tensors of a tape are to a reader: their names, and how an alias was reached."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.tape.model import Create, Event, Reject, Save, SetData, TensorState, View, Write


def tensors_of(event: Event) -> tuple[TensorState, ...]:
    """The tensors whose version an event tells, the one a view is made of before the view."""
    if isinstance(event, View):
        return event.of, event.tensor
    return (event.tensor,) if isinstance(event, (Create, Save, Write, SetData)) else ()


def subject(event: Event) -> TensorState | None:
    """The tensor an event is about; None for the events of a backward."""
    return event.tensor if isinstance(event, (Create, View, Save, Write, SetData, Reject)) else None


def first_names(events: Iterable[Event]) -> dict[int, str]:
    """The first name each tensor gets: the result of an op is made before it is assigned."""
    names: dict[int, str] = {}
    for event in events:
        for tensor in tensors_of(event):
            names[tensor.id] = names.get(tensor.id) or tensor.name
    return names


def alias_ways(events: Sequence[Event]) -> dict[int, str]:
    """How each tensor was reached that has another's memory and name, but a counter of its own."""
    names = first_names(events)
    return {
        event.tensor.id: event.op
        for event in events
        if isinstance(event, View)
        if event.tensor.counter != event.of.counter and names[event.tensor.id] in ("", names[event.of.id])
    }
