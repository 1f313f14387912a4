"""Name the objects that torch makes of a tensor of the program's on its own account.

What a run shows is more than what the program knows: `linear` keeps the transposed weight, and a parameter was made by
`empty` before it became one. No variable ever held these objects, so a reader knows them by the tensor behind them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace

from inplace_lsp.tape.model import Event, TensorState, View


def name_handles(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return `events` with the nameless objects named by the one tensor of the program that has their version counter.

    Where the program itself takes views of a tensor, or names several that share a counter, nothing is named: the
    object may be any of them, or a piece.
    """
    events = tuple(events)
    known = _find_handles(events)
    return tuple(_rename(event, known) for event in events) if known else events


def _find_handles(events: Iterable[Event]) -> dict[int, str]:
    """Return the names for nameless tensors, by the tensors' ids."""
    names: dict[int, str] = {}
    nameless: dict[int, int] = {}
    viewed: set[int] = set()  # counters
    named_by_counter: defaultdict[int, set[int]] = defaultdict(set)
    for event in events:
        if isinstance(event, View):
            viewed.add(event.tensor.counter)
        for tensor in _list_states(event):
            if tensor.name:
                names[tensor.id] = tensor.name
                named_by_counter[tensor.counter].add(tensor.id)
            else:
                nameless[tensor.id] = tensor.counter
    owners = {
        counter: next(iter(ids)) for counter, ids in named_by_counter.items() if len(ids) == 1 and counter not in viewed
    }
    return {
        tensor: names[owners[counter]]
        for tensor, counter in nameless.items()
        if tensor not in names and counter in owners
    }


def _list_states(event: Event) -> Iterator[TensorState]:
    for field in fields(event):
        value = getattr(event, field.name)
        if isinstance(value, TensorState):
            yield value


def _rename(event: Event, known: dict[int, str]) -> Event:
    found = {
        field.name: value.with_name(known[value.id])
        for field in fields(event)
        if isinstance(value := getattr(event, field.name), TensorState) and value.id in known
    }
    return replace(event, **found) if found else event  # type: ignore[arg-type]
