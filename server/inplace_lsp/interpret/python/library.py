"""Calls into libraries: torch by its op table and the few functions that are no op, Python's builtins, and the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TypeAlias

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, Intrinsic
from inplace_lsp.interpret.machine.iteration import elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python import (
    aggregates,
    arrays,
    builtins,
    containers,
    dispatch,
    introspection,
    iterables,
    mappings,
    objects,
    settings,
    standard_library,
)
from inplace_lsp.interpret.state.signatures import keep_open
from inplace_lsp.interpret.state.values import Instance, Items, Mapped, Optimizer, Suspended, Tensor, Value
from inplace_lsp.interpret.torch_api import (
    array_methods,
    checkpointing,
    einops_patterns,
    factories,
    gradients,
    hooks,
    inherited,
    leaves,
    modelling,
    modes,
    module_containers,
    module_methods,
    module_state,
    modules,
    optimizers,
    parametrizations,
    table_ops,
    tensor_conversions,
    tensor_methods,
    torch_functions,
    transforms,
)
from inplace_lsp.torch_ops.table import find

DECLARING = (
    aggregates, array_methods, arrays, builtins, checkpointing, containers, dispatch, einops_patterns, gradients, hooks,
    introspection, iterables, leaves, mappings, modelling, modes, module_containers, module_methods, module_state,
    objects, optimizers, parametrizations, settings, standard_library, tensor_conversions, tensor_methods,
    torch_functions, transforms,
)  # fmt: skip
"""The modules that declare intrinsics: to import this module is to declare them all."""


def find_intrinsics() -> Mapping[str, Intrinsic]:
    """All intrinsics by dotted name: importing this module has declared them."""
    return INTRINSICS


def call(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call the library function or class `name`."""
    if not _WAITING.isdisjoint(map(type, (*arguments, *keywords.values()))) and name not in iterables.IN_TURNS:
        arguments = keep_open(arguments, [_settled(machine, value) for value in arguments])
        keywords = {word: _settled(machine, value) for word, value in keywords.items()}
    if arguments and (of_class := _find_class_method(name)) is not None:
        rest = keep_open(arguments, arguments[1:])
        return of_class(machine, arguments[0], name.rpartition(".")[2], rest, keywords, text)
    intrinsic = INTRINSICS.get(name)
    if intrinsic is not None:
        return intrinsic.call(machine, arguments, keywords, text)
    if name.startswith("builtins."):
        return machine.unknown(text or name[9:], arguments)
    if name.startswith("torch."):
        return _torch(machine, name, arguments, keywords, text)
    return standard_library.call(machine, name, arguments, keywords, text)


_Methods: TypeAlias = Callable[[Machine, Value, str, list[Value], dict[str, Value], str], Value]


_WAITING = frozenset({Suspended, Mapped})
"""Generators that have not run."""


@lru_cache(maxsize=4096)
def _find_class_method(name: str) -> _Methods | None:
    """Return what runs a method that is called by its class, as `torch.Tensor.add(x, y)` or `list.append(xs, x)`; None
    for any other function.

    `__init__` called so is that of the class the object inherits from.
    """
    owner = name.rpartition(".")[0]
    if owner in _CONTAINERS and not name.endswith(".fromkeys"):
        return _container_method
    if owner == "torch.Tensor":
        return tensor_methods.call
    if not owner.startswith("torch.") or not owner.rpartition(".")[2][:1].isupper():
        return None
    return _inherited_method if optimizers.is_optimizer(owner) or modules.is_class(owner) else None


_CONTAINERS = frozenset(
    ("builtins.list", "builtins.tuple", "builtins.set", "builtins.dict", "collections.deque", "collections.OrderedDict")
)


def _container_method(
    machine: Machine, value: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """`list.append(xs, x)`: what an object holds whose class inherits from `list` is not known."""
    if isinstance(value, Instance):
        return machine.unknown_call(text or name, [value, *arguments, *keywords.values()])
    return containers.method(machine, value, name, arguments, keywords, text)


def _inherited_method(
    machine: Machine, value: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    if name == "__init__" and isinstance(value, Instance):
        return inherited.initialise(machine, value, arguments, keywords)
    base = value.base if isinstance(value, Instance) else value
    method = optimizers.method if isinstance(base, Optimizer) else modules.method
    return method(machine, value, name, arguments, keywords, text)


def _settled(machine: Machine, value: Value) -> Value:
    """All that a generator gives, for who does not ask for one element after the other."""
    if isinstance(value, Mapped):
        return Items("iterator", list(elements(machine, value)))
    return generators.settled(machine, value) if isinstance(value, Suspended) else value


def _torch(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if optimizers.is_optimizer(name):
        return optimizers.construct(machine, name, arguments, keywords, text)
    made = modules.construct(machine, name, arguments, keywords)
    if made is not None:
        return made
    short = name.rpartition(".")[2]
    known = find(name)
    chosen = ops.choose(known, arguments, keywords)
    if chosen is None:
        return machine.unknown_call(text or name, [*arguments, *keywords.values()], "" if known else name)
    result = table_ops.run_op(machine, short, *chosen)
    if isinstance(result, Tensor) and name == f"torch.{short}" and not chosen[0].differentiable:
        factories.describe(machine, short, result, chosen[1])
    return result
