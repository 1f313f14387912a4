"""Graphs that leave a function: a caller may walk back through what it returns."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.interpret.autograd.ops import tensor_of
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Instance, Items, Known, Mapping, Tensor, Unknown, Value


def judge(machine: Machine, value: Value) -> None:
    """Walk back through the returned `value` as a caller may do later; nothing is released."""
    roots = list(_tensors(machine, value, 0))
    if roots and machine.recorder.grad_mode:
        machine.recorder.backward(roots, retain=True, assumed=True)


def _tensors(machine: Machine, value: Value, depth: int) -> Iterator[Tensor]:
    if type(value) is Known:  # most of what a table of settings holds
        return
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, Unknown) and (value.tensor is not None or value.inputs):
        tensor = tensor_of(machine.recorder, value)
        if tensor is not None:
            yield tensor
    elif depth < 4 and isinstance(value, Items) and value.kind != "iterator":
        for item in value.items:
            yield from _tensors(machine, item, depth + 1)
    elif depth < 4 and isinstance(value, Mapping):
        for item in value.items.values():
            yield from _tensors(machine, item, depth + 1)
    elif depth < 4 and isinstance(value, Instance) and _is_record(value):
        for item in value.attributes.values():
            yield from _tensors(machine, item, depth + 1)


def _is_record(value: Instance) -> bool:
    """Whether the object is a dataclass's: other objects keep tensors for themselves."""
    fields = value.cls.lookup("__annotated__")
    return isinstance(fields, Items) and bool(fields.items) and not value.cls.is_module()
