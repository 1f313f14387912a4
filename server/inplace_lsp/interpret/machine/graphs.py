"""Walk the autograd graphs that a function returns, as a caller may do."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Instance, Items, Known, Mapping, Tensor, Unknown, Value


def walk_returned_graphs(machine: Machine, value: Value) -> None:
    """Walk back through the returned `value` as a caller may do later; nothing is released."""
    roots = list(_find_tensors(machine, value, 0))
    if roots and machine.recorder.grad_mode:
        machine.recorder.run_backward(roots, retain=True, assumed=True)


def _find_tensors(machine: Machine, value: Value, depth: int) -> Iterator[Tensor]:
    if type(value) is Known:  # most values in a table of settings
        return
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, Unknown) and (value.tensor is not None or value.inputs):
        tensor = tensor_of(machine.recorder, value)
        if tensor is not None:
            yield tensor
    elif depth < 4:
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
