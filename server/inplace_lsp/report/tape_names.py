"""Names of a tape's tensors for readers, and how aliases were made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from inplace_lsp.hazards.parts import UNNAMED, name_unnamed_result
from inplace_lsp.tape.model import Create, Event, Reject, Save, SetData, Span, TensorState, View, Write


def list_tensors(event: Event) -> tuple[TensorState, ...]:
    """Return the tensors whose version an event shows; for a view, its base first."""
    if isinstance(event, View):
        return event.of, event.tensor
    return (event.tensor,) if isinstance(event, (Create, Save, Write, SetData)) else ()


def list_states(event: Event) -> tuple[TensorState, ...]:
    """Return the tensors of an event: those whose version it shows, and one that torch refuses to use."""
    return (event.tensor,) if isinstance(event, Reject) else list_tensors(event)


def find_subject(event: Event) -> TensorState | None:
    """Return the tensor that an event is about; None for events of a backward."""
    return event.tensor if isinstance(event, (Create, View, Save, Write, SetData, Reject)) else None


class Names:
    """The names of the tensors of some events."""

    def __init__(self, events: Iterable[Event]) -> None:
        events = list(events)
        self._first = find_first_names(events)
        self._stand_ins = find_stand_in_names(events)
        self._taken_at: dict[int, Span] = {event.tensor.id: event.span for event in events if isinstance(event, View)}
        self.aliases = find_alias_ways(events)

    def name_of(self, tensor: TensorState) -> str:
        """Return the name of a tensor as it is now; "" for one without."""
        return find_current_name(tensor, self._first)

    def find_first_name(self, tensor: int) -> str:
        """Return the first name that the tensor of this id gets; "" for none."""
        return self._first.get(tensor, "")

    def name_stand_in(self, tensor: TensorState, otherwise: str = UNNAMED) -> str:
        """Return a description for a tensor without a name."""
        return self._stand_ins.get(tensor.id, otherwise)

    def quote_name(self, tensor: TensorState) -> str:
        """Return the name as code, else a description."""
        name = self.name_of(tensor)
        return f"`{name}`" if name else self.name_stand_in(tensor)

    def takes_part(self, write: Write) -> bool:
        """Return whether the writing statement itself takes the written part out of a tensor, as `x[0] = 1` does."""
        return self._taken_at.get(write.tensor.id) == write.span and not write.alias


def find_first_names(events: Iterable[Event]) -> dict[int, str]:
    """Return the first name of each tensor: an op's result is made before it is assigned. Of a parameter, return the
    fullest: `weight` is `self.net.weight` in its class, then `critic.net.weight` for the object's owner."""
    names: dict[int, str] = {}
    for event in events:
        for tensor in list_tensors(event):
            known = names.get(tensor.id, "")
            names[tensor.id] = tensor.name if not known or _is_fuller(tensor.name, known) else known
    return names


def _is_fuller(name: str, known: str) -> bool:
    """Return whether `name` locates a parameter more precisely than `known`."""
    return len(name) > 1 and name.endswith("." + known.removeprefix("self."))


def find_current_name(tensor: TensorState, names: dict[int, str]) -> str:
    """Return the tensor's current name, as full as `find_first_names` knows it; "" without one."""
    known = names.get(tensor.id, "")
    return known if not tensor.name or _is_fuller(known, tensor.name) else tensor.name


def find_stand_in_names(events: Iterable[Event]) -> dict[int, str]:
    """Return a description for each tensor that never gets a name: `the result of relu`, `a view of x`."""
    events = list(events)
    names = find_first_names(events)
    found: dict[int, str] = {}
    for event in events:
        if isinstance(event, Create) and not names.get(event.tensor.id):
            found.setdefault(event.tensor.id, name_unnamed_result(event.op))
        elif isinstance(event, View) and not names.get(event.tensor.id):
            of = names.get(event.of.id) or found.get(event.of.id) or "another tensor"
            found.setdefault(event.tensor.id, of if of.startswith("a view of ") else f"a view of {of}")
    return found


def find_alias_ways(events: Sequence[Event]) -> dict[int, str]:
    """Return how each tensor was made that has another's memory and name, but its own version counter."""
    names = find_first_names(events)
    return {
        event.tensor.id: event.op
        for event in events
        if isinstance(event, View)
        if event.tensor.counter != event.of.counter and names[event.tensor.id] in ("", names[event.of.id])
    }
