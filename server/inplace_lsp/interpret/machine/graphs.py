"""Walk the autograd graphs that a function gives back, as a caller may do: those that it returns, and those that it
put into a container of the caller's."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Instance, Items, Known, Mapping, Tensor, Unknown, Value
from inplace_lsp.tape.model import Backward, Event, Save, Write

_DEPTH = 4
"""The number of containers within each other that are searched."""


def walk_returned_graphs(machine: Machine, value: Value) -> None:
    """Walk back through the returned `value` as a caller may do later; nothing is released."""
    roots = list(_find_tensors(machine, value, 0))
    if roots and machine.recorder.grad_mode:
        machine.recorder.run_backward(roots, retain=True, assumed=True)


def walk_stored_graphs(machine: Machine, given: Iterable[Value]) -> None:
    """Walk back through what a function stored in the containers that it was `given`, as a caller may do later.

    A function that walks its graphs itself stores only records of them there: `logs["loss"] = loss`.
    """
    stored = [tensor for value in given for tensor in _find_stored_tensors(machine, value, 0)]
    if stored and machine.recorder.grad_mode and not _walks_itself(machine):
        machine.recorder.run_backward(stored, retain=True, assumed=True)


def walk_tested_graphs(machine: Machine, results: Iterable[Value]) -> bool:
    """Walk back through the results of a test that requests gradients but only looks at results, as callers of the
    tested code do. Return whether that matters: a saved tensor was written."""
    if not machine.asks_for_gradients or not _has_pending_writes(machine.recorder.events):
        return False
    roots = [tensor for value in results for tensor in _find_tensors(machine, value, 0) if tensor.node is not None]
    if roots:
        machine.recorder.run_backward(roots, retain=True, assumed=True)
    return bool(roots)


def _has_pending_writes(events: Sequence[Event]) -> bool:
    """Return whether something was written that a graph had saved, and nothing was walked."""
    saved: set[int] = set()
    written = False
    for event in events:
        if type(event) is Backward:
            return False
        if type(event) is Save and event.when.always:
            saved.add(event.tensor.counter)
        written = written or (type(event) is Write and event.tensor.counter in saved)
    return written


def _walks_itself(machine: Machine) -> bool:
    return any(type(event) is Backward and not event.assumed for event in machine.recorder.events)


def _find_stored_tensors(machine: Machine, value: Value, depth: int) -> Iterator[Tensor]:
    """Yield the computed tensors that a container holds: what was only read from it is an unknown value."""
    for part in _find_contents(value):
        if isinstance(part, Tensor):
            if part.node is not None:
                yield part
        elif isinstance(part, Unknown) and part.inputs:
            tensor = tensor_of(machine.recorder, part)
            if tensor is not None:
                yield tensor
        elif depth < _DEPTH:
            yield from _find_stored_tensors(machine, part, depth + 1)


def _find_contents(value: Value) -> Iterable[Value]:
    if isinstance(value, Unknown):
        return (*value.elements.values(), *value.attributes.values())
    return value.items.values() if isinstance(value, Mapping) else value.items if isinstance(value, Items) else ()


def _find_tensors(machine: Machine, value: Value, depth: int) -> Iterator[Tensor]:
    if type(value) is Known:  # most values in a table of settings
        return
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, Unknown) and (value.tensor is not None or value.inputs):
        tensor = tensor_of(machine.recorder, value)
        if tensor is not None:
            yield tensor
    elif depth < _DEPTH:
        for item in _find_parts(value):
            yield from _find_tensors(machine, item, depth + 1)


def _find_parts(value: Value) -> Iterable[Value]:
    """Return the values in a container or a record."""
    if isinstance(value, Items):
        return value.items if value.kind != "iterator" else ()
    if isinstance(value, Mapping):
        return value.items.values()
    return value.attributes.values() if isinstance(value, Instance) and _is_record(value) else ()


def _is_record(value: Instance) -> bool:
    """Return whether the object is a dataclass instance: other objects keep tensors to themselves."""
    fields = value.cls.look_up("__annotated__")
    return isinstance(fields, Items) and bool(fields.items) and not value.cls.is_module()
