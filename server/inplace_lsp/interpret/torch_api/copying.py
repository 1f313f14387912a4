"""Models of `copy.copy` and `copy.deepcopy` for tensors, modules, optimizers and containers."""

from __future__ import annotations

from collections.abc import MutableMapping
from typing import Any

from inplace_lsp.interpret.autograd import shapes
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Bound,
    Computed,
    Container,
    Function,
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
from inplace_lsp.interpret.torch_api.module_tree import forget_names, is_module


def copy_shallow(machine: Machine, value: Value) -> Value | None:
    """Return a new object that holds the same parts; None if the result is unknown."""
    if isinstance(value, Tensor):
        return _share_memory(machine, value)
    if isinstance(value, Module):  # a parameter put into the one is in the other, too
        return Module(value.op, value.arguments, value.attributes, value.declared, value.name)
    if isinstance(value, Container):
        return Container(value.kind, value.items, value.attributes, value.open)
    if isinstance(value, Optimizer):
        return Optimizer(value.name, value.groups, value.fused, dict(value.attributes))
    if isinstance(value, Items):
        return value.copy_with_items(list(value.items), value.more)
    if isinstance(value, Mapping):
        return Mapping(dict(value.items), value.open, value.default)
    if isinstance(value, Instance):
        own = _copy_by_own_method(machine, value, "__copy__", [])
        return own or Instance(value.cls, dict(value.attributes), name=value.name, base=value.base)
    return value if isinstance(value, (Known, Number)) else None


def _copy_by_own_method(machine: Machine, value: Value, name: str, arguments: list[Value]) -> Value | None:
    """Return what the object's own method copies it to; None if it has none."""
    method = value.cls.look_up(name) if isinstance(value, Instance) else None
    return machine.call(Bound(value, method), arguments, {}) if isinstance(method, Function) else None


def _share_memory(machine: Machine, tensor: Tensor) -> Tensor:
    """Return a leaf on the memory of the tensor, with its own version counter."""
    made = machine.recorder.new_alias(tensor, "copy.copy()", shares_counter=False)
    made.requires_grad, made.parameter = tensor.requires_grad, tensor.parameter
    return made


def copy_deep(machine: Machine, value: Value, memo: dict[int, Value] | None = None) -> Value | None:
    """Return a copy of `value` with its own memory, sharing what `value` shares; None if it cannot be copied."""
    is_outermost, memo = memo is None, {} if memo is None else memo
    if id(value) in memo:
        return memo[id(value)]
    own = _copy_by_own_method(machine, value, "__deepcopy__", [Mapping({})])
    made = own or _copy_without_contents(machine, value)
    if made is None:
        return None
    memo[id(value)] = made
    if own is None:
        _copy_contents(machine, value, made, memo)
    if is_outermost and is_module(made):
        forget_names(made)
    return made


def _copy_contents(machine: Machine, value: Value, made: Value, memo: dict[int, Value]) -> None:
    """Put copies of what `value` holds into its copy `made`."""
    if isinstance(value, _WithAttributes) and isinstance(made, _WithAttributes):
        made.attributes.update(_copy_entries(machine, value.attributes, memo))
        _copy_members(machine, value, made, memo)
    if isinstance(value, Mapping) and isinstance(made, Mapping):
        made.items.update(_copy_entries(machine, value.items, memo))
    if isinstance(value, Items) and isinstance(made, Items):
        made.items.extend(copy_deep(machine, item, memo) or item for item in value.items)


_WithAttributes = Module | Container | Instance | Optimizer


def _copy_members(machine: Machine, value: _WithAttributes, made: _WithAttributes, memo: dict[int, Value]) -> None:
    """Copy the state of a module, an optimizer or an object that is not in its attributes."""
    if isinstance(value, Container) and isinstance(made, Container):
        made.items.update(_copy_entries(machine, value.items, memo))
    if isinstance(value, Optimizer) and isinstance(made, Optimizer):
        made.groups.items.extend(copy_deep(machine, group, memo) or group for group in value.groups.items)
    if isinstance(value, Instance) and isinstance(made, Instance) and value.base is not None:
        made.base = _copy_base(machine, value.base, made, memo)


def _copy_base(
    machine: Machine, base: Module | Container | Optimizer, made: Instance, memo: dict[int, Value]
) -> Module | Container | Optimizer | None:
    copy = copy_deep(machine, base, memo)
    if isinstance(copy, Optimizer):
        return copy
    if not isinstance(copy, (Module, Container)):
        return None
    copy.attributes = made.attributes
    return copy


def _copy_entries(machine: Machine, values: MutableMapping[Any, Value], memo: dict[int, Value]) -> dict[Any, Value]:
    return {name: copy_deep(machine, item, memo) or item for name, item in values.items()}


def _copy_without_contents(machine: Machine, value: Value) -> Value | None:
    if isinstance(value, Tensor):
        return _copy_tensor(machine, value)
    if isinstance(value, Module):
        return Module(value.op, value.arguments, {}, value.declared, value.name)
    if isinstance(value, Optimizer):
        return Optimizer(value.name, Items("list", []), value.fused)
    if isinstance(value, Instance):
        return Instance(value.cls, name=value.name)
    if isinstance(value, Unknown) and value.module is not None:
        return Unknown(value.origin, module=copy_deep(machine, value.module))
    if isinstance(value, Computed):
        return Unknown("a computed parameter", tensorlike=True)
    if isinstance(value, Unknown):
        return Unknown(value.origin, tensorlike=value.tensorlike, graphless=value.graphless)
    return value if isinstance(value, (Known, Number)) else _make_empty(value)


def _copy_tensor(machine: Machine, tensor: Tensor) -> Tensor:
    made = machine.recorder.new_tensor("deepcopy", requires_grad=tensor.requires_grad, dtype=tensor.dtype)
    made.parameter = tensor.parameter
    shapes.set_shape(made, tensor.shape)
    return made


def _make_empty(value: Value) -> Value | None:
    """Return a collection of the same kind with nothing in it; None for what is no collection."""
    if isinstance(value, Container):
        return Container(value.kind, {}, {}, value.open)
    if isinstance(value, Items):
        return value.copy_with_items([], value.more)
    return Mapping({}, value.open, value.default) if isinstance(value, Mapping) else None
