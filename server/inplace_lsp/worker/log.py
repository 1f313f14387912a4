"""The tape while it is being written: some facts about an event are known only a moment later."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import fields, replace
from types import MethodType

import torch

from inplace_lsp.tape.handles import name_handles
from inplace_lsp.tape.model import Event, Reject, Save, TensorState, Write
from inplace_lsp.worker.heap import Heap, version_of

_SET_COMPILER = getattr(getattr(getattr(torch._C, "_dynamo", None), "eval_frame", None), "set_eval_frame", None)
"""What sets the compiler that is asked about each new frame, and returns the one before."""
_PROFILE_CAN_PAUSE = sys.version_info < (3, 12)
"""Since then Python looks at all code anew when a profile function is set."""


class _ModesOff:
    """What `modes_off` returns. It is entered several times for each op, so it is no generator."""

    __slots__ = ("_compiler", "_dispatch", "_function", "_grad", "_profile")

    def __init__(self, grad: bool) -> None:
        self._grad = grad

    def __enter__(self) -> None:
        self._profile = sys.getprofile() if _PROFILE_CAN_PAUSE else None
        if type(self._profile) is MethodType:  # a profiler written in C could not be set again
            sys.setprofile(None)
        self._compiler = _SET_COMPILER(None) if _SET_COMPILER is not None else None
        self._function, self._dispatch = torch._C.DisableTorchFunction(), torch._C._DisableTorchDispatch()
        self._function.__enter__()
        self._dispatch.__enter__()
        self._grad = torch.is_grad_enabled() and not self._grad
        if self._grad:
            torch._C._set_grad_enabled(False)

    def __exit__(self, *raised: object) -> None:
        if self._grad:
            torch._C._set_grad_enabled(True)
        self._dispatch.__exit__(*raised)
        self._function.__exit__(*raised)
        if _SET_COMPILER is not None:
            _SET_COMPILER(self._compiler)
        if type(self._profile) is MethodType:
            sys.setprofile(self._profile)


def modes_off(grad: bool = False) -> AbstractContextManager[None]:
    """Run torch code of the recorder's own: no mode sees it, no graph records it (`grad`: grad mode stays on), and a
    compiler under way (`torch.compile`) does not take it for the user's; nor does a profile function see it."""
    return _ModesOff(grad)


class Log:
    """Events in order. A write's version is read when torch is next seen: the counter moves after the op is done."""

    def __init__(self, heap: Heap) -> None:
        self.events: list[Event | Callable[[], list[Event]]] = []
        self.survived: list[int] = []
        """The positions of the refused writes after which the run went on."""
        self.refusals: tuple[int, ...] = ()
        """The same among the events that are finished."""
        self._heap = heap
        self._pending: list[tuple[int, torch.Tensor]] = []

    def add(self, event: Event) -> int:
        """Append `event`; return its position."""
        self.events.append(event)
        return len(self.events) - 1

    def add_later(self, events: Callable[[], list[Event]]) -> None:
        """Reserve this place for events that are known at the end."""
        self.events.append(events)

    def add_write(self, write: Write, tensor: torch.Tensor) -> int:
        """Append `write`, whose `version_after` will be read off `tensor`."""
        at = self.add(write)
        self._pending.append((at, tensor))
        return at

    def mark_refused(self, since: int) -> bool:
        """Mark the writes logged from position `since` on as refused; return whether there were any."""
        places = [at for at in range(since, len(self.events)) if isinstance(self.events[at], Write)]
        for at in places:
            event = self.events[at]
            assert isinstance(event, Write)
            self.events[at] = replace(event, refused=True)
        self._pending = [(at, tensor) for at, tensor in self._pending if at < since]
        return bool(places)

    def note_survived(self) -> None:
        """Note that the run goes on after the last event that torch refused."""
        places = range(len(self.events) - 1, -1, -1)
        self.survived.append(next(at for at in places if _is_refused(self.events[at])))

    def read_pending_versions(self) -> None:
        """Read the versions that the writes so far led to."""
        for at, tensor in self._pending:
            event = self.events[at]
            if isinstance(event, Write):
                self.events[at] = replace(event, version_after=version_of(tensor))
        self._pending.clear()

    def finish_events(self, saves: dict[int, Save]) -> tuple[Event, ...]:
        """Return all events, with the names found later and with `saves` (by key) in place of their drafts."""
        self.read_pending_versions()
        flat: list[Event] = []
        refusals: list[int] = []
        for at, entry in enumerate(self.events):
            if at in self.survived:
                refusals.append(len(flat))
            flat.extend(entry() if callable(entry) else [entry])
        self.refusals = tuple(refusals)
        final = (saves.get(event.key, event) if isinstance(event, Save) else event for event in flat)
        return name_handles(self._name_tensors(event) for event in final)

    def _name_tensors(self, event: Event) -> Event:
        """Return `event` with every tensor named that ever got a name."""
        found = {field.name: getattr(event, field.name) for field in fields(event)}
        named = {key: self._name_tensor(value) for key, value in found.items() if isinstance(value, TensorState)}
        return replace(event, **named) if named else event  # type: ignore[arg-type]

    def _name_tensor(self, tensor: TensorState) -> TensorState:
        return tensor if tensor.name else replace(tensor, name=self._heap.names.get(tensor.id, ""))


def _is_refused(entry: object) -> bool:
    return isinstance(entry, Reject) or (isinstance(entry, Write) and bool(entry.refused))
