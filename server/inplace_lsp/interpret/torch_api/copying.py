"""`copy.copy` and `copy.deepcopy` of tensors, modules, optimizers and containers."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Computed,
    Container,
    Instance,
    Items,
    Known,
    Mapping,
    Module,
    Number,
    Optimizer,
    Tensor,
    Unknown,
    Value,
)


def shallow(machine: Machine, value: Value) -> Value | None:
    """A new object that holds the very same things; None if it cannot be told."""
    if isinstance(value, Tensor):
        return _same_memory(machine, value)
    if isinstance(value, Module):  # a parameter put into the one is in the other, too
        return Module(value.op, value.arguments, value.attributes, value.declared, value.name)
    if isinstance(value, Container):
        return Container(value.kind, value.items, value.attributes, value.open)
    if isinstance(value, Optimizer):
        return Optimizer(value.name, value.groups, value.fused, dict(value.attributes))
    if isinstance(value, Items):
        return value.holding(list(value.items), value.more)
    if isinstance(value, Mapping):
        return Mapping(dict(value.items), value.open, value.default)
    if isinstance(value, Instance):
        return Instance(value.cls, dict(value.attributes), name=value.name, base=value.base)
    return value if isinstance(value, (Known, Number)) else None


def _same_memory(machine: Machine, tensor: Tensor) -> Tensor:
    """A leaf on the memory of the tensor, with a version counter of its own."""
    made = machine.recorder.alias(tensor, "copy.copy()", shares_counter=False)
    made.requires_grad, made.parameter = tensor.requires_grad, tensor.parameter
    return made


def deep(machine: Machine, value: Value, memo: dict[int, Value] | None = None) -> Value | None:
    """`value` with memory of its own, shared parts shared again; None if it cannot be copied."""
    memo = {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    made = _empty(machine, value)
    if made is None:
        return None
    memo[id(value)] = made
    if isinstance(value, (Module, Container, Instance)) and isinstance(made, (Module, Container, Instance)):
        made.attributes.update(_copies(machine, value.attributes, memo))
    if isinstance(value, Container) and isinstance(made, Container):
        made.items.update(_copies(machine, value.items, memo))
    if isinstance(value, Optimizer) and isinstance(made, Optimizer):
        made.groups.items.extend(deep(machine, group, memo) or group for group in value.groups.items)
        made.attributes.update(_copies(machine, value.attributes, memo))
    if isinstance(value, Mapping) and isinstance(made, Mapping):
        made.items.update(_copies(machine, value.items, memo))
    if isinstance(value, Items) and isinstance(made, Items):
        made.items.extend(deep(machine, item, memo) or item for item in value.items)
    if isinstance(value, Instance) and isinstance(made, Instance) and value.base is not None:
        made.base = _inherited(machine, value.base, made, memo)
    return made


def _inherited(
    machine: Machine, base: Module | Container | Optimizer, made: Instance, memo: dict[int, Value]
) -> Module | Container | Optimizer | None:
    copy = deep(machine, base, memo)
    if isinstance(copy, Optimizer):
        return copy
    if not isinstance(copy, (Module, Container)):
        return None
    copy.attributes = made.attributes
    return copy


def _copies(machine: Machine, values: MutableMapping[Any, Value], memo: dict[int, Value]) -> dict[Any, Value]:
    return {name: deep(machine, item, memo) or item for name, item in values.items()}


def _empty(machine: Machine, value: Value) -> Value | None:
    if isinstance(value, Tensor):
        made = machine.recorder.fresh("deepcopy", name=value.name, requires_grad=value.requires_grad, dtype=value.dtype)
        made.parameter = value.parameter
        shapes.take(made, value.shape)
        return made
    if isinstance(value, Module):
        return Module(value.op, value.arguments, {}, value.declared, value.name)
    if isinstance(value, Container):
        return Container(value.kind, {}, {}, value.open)
    if isinstance(value, Optimizer):
        return Optimizer(value.name, Items("list", []), value.fused)
    if isinstance(value, Instance):
        return Instance(value.cls, name=value.name)
    if isinstance(value, Items):
        return value.holding([], value.more)
    if isinstance(value, Mapping):
        return Mapping({}, value.open, value.default)
    if isinstance(value, Unknown) and value.module is not None:
        return Unknown(value.origin, module=deep(machine, value.module))
    if isinstance(value, Computed):
        return Unknown("a computed parameter", tensorlike=True)
    return value if isinstance(value, (Known, Number)) else None
