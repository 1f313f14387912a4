"""Call library functions: torch by its op table and intrinsics, Python's builtins, and the rest."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from typing import TypeAlias

from inplace_lsp.interpret.autograd import ops
from inplace_lsp.interpret.machine import generators
from inplace_lsp.interpret.machine.intrinsics import INTRINSICS, Intrinsic
from inplace_lsp.interpret.machine.iteration import find_elements
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
    namespaces,
    objects,
    settings,
    standard_library,
)
from inplace_lsp.interpret.state.signatures import keep_open
from inplace_lsp.interpret.state.values import (
    Class,
    Instance,
    Items,
    Mapped,
    Optimizer,
    Super,
    Suspended,
    Tensor,
    Value,
)
from inplace_lsp.interpret.torch_api import (
    array_methods,
    checkpointing,
    einops_patterns,
    einsum,
    factories,
    functional_optimizers,
    gradients,
    hooks,
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
    torch_bases,
    torch_functions,
    transforms,
)
from inplace_lsp.torch_ops.table import find_overloads

DECLARING = (
    aggregates, array_methods, arrays, builtins, checkpointing, containers, dispatch, einops_patterns, einsum,
    functional_optimizers, gradients, hooks, introspection, iterables, leaves, mappings, modelling, modes,
    module_containers, module_methods, module_state, namespaces, objects, optimizers, parametrizations, settings,
    standard_library, tensor_conversions, tensor_methods, torch_functions, transforms,
)  # fmt: skip
"""The modules that declare intrinsics: importing this module declares them all."""


def find_intrinsics() -> Mapping[str, Intrinsic]:
    """Return all intrinsics by dotted name: importing this module has declared them."""
    return INTRINSICS


def _run_generators(
    machine: Machine, arguments: list[Value], keywords: dict[str, Value]
) -> tuple[list[Value], dict[str, Value]]:
    """Return the arguments of a call with what its generators yield."""
    given = keep_open(arguments, [_run_generator(machine, value) for value in arguments])
    return given, {word: _run_generator(machine, value) for word, value in keywords.items()}


def call_library(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call the library function or class `name`."""
    if not _WAITING.isdisjoint(map(type, (*arguments, *keywords.values()))) and name not in iterables.IN_TURNS:
        arguments, keywords = _run_generators(machine, arguments, keywords)
    of_class = _find_class_method(name)
    if of_class is _call_container_method and not arguments:  # `set.union(*sets)` of unknown sets
        return machine.unknown_call(text or name, list(keywords.values()))
    if arguments and of_class is not None:
        rest = keep_open(arguments, arguments[1:])
        return of_class(machine, arguments[0], name.rpartition(".")[2], rest, keywords, text)
    intrinsic = INTRINSICS.get(name)
    if intrinsic is not None:
        return intrinsic.bind_and_run(machine, arguments, keywords, text)
    if name.startswith("builtins."):
        return machine.make_unknown(text or name[9:], arguments)
    if name.startswith("torch."):
        return _call_torch(machine, name, arguments, keywords, text)
    return standard_library.call_other_library(machine, name, arguments, keywords, text)


_Methods: TypeAlias = Callable[[Machine, Value, str, list[Value], dict[str, Value], str], Value]


_WAITING = frozenset({Suspended, Mapped})
"""Generators that have not run."""


@lru_cache(maxsize=4096)
def _find_class_method(name: str) -> _Methods | None:
    """Return the function that runs a method called through its class, as `torch.Tensor.add(x, y)` or `list.append(xs,
    x)`; None for any other function.

    `__init__` called so is that of the class the object inherits from.
    """
    owner = name.rpartition(".")[0]
    if owner in _CONTAINERS and not name.endswith(".fromkeys"):
        return _call_container_method
    if owner == "torch.Tensor":
        return tensor_methods.call_tensor_method
    if owner in _RECEIVERS and name in INTRINSICS:
        return partial(_call_intrinsic_method, _RECEIVERS[owner], INTRINSICS[name])
    if not owner.startswith("torch.") or not owner.rpartition(".")[2][:1].isupper():
        return None
    return _call_inherited_method if optimizers.is_optimizer(owner) or modules.is_module_class(owner) else None


_CONTAINERS = frozenset(
    (
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.frozenset",
        "builtins.dict",
        "collections.deque",
        "collections.OrderedDict",
    )
)


_RECEIVERS: dict[str, type[Value]] = {
    "numpy.ndarray": Tensor,
    "torch.autograd.Function": Class,
    "collections.namedtuple": Items,
}
"""Classes whose methods are intrinsics, and what stands for their objects."""


def _call_intrinsic_method(
    kind: type[Value],
    method: Intrinsic,
    machine: Machine,
    value: Value,
    name: str,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str,
) -> Value:
    """Call `np.ndarray.sort(a)`, if `a` is known to be an array."""
    if not isinstance(value, kind):
        return machine.unknown_call(text or name, [value, *arguments, *keywords.values()])
    return method.bind_and_run(machine, [value, *arguments], keywords, text)


def _call_container_method(
    machine: Machine, value: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Call `list.append(xs, x)`; on an object whose class inherits from `list`, what that inherits."""
    if isinstance(value, Instance):
        heir = next((cls for cls in value.cls.list_lineage() if not _CONTAINERS.isdisjoint(cls.library)), None)
        if heir is not None and any(base.look_up(name) for base in heir.bases):
            return machine.call(machine.get_attribute(Super(value, heir), name), arguments, keywords, text)
        return machine.unknown_call(text or name, [value, *arguments, *keywords.values()])
    return containers.call_method(machine, value, name, arguments, keywords, text)


def _call_inherited_method(
    machine: Machine, value: Value, name: str, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    if name == "__init__" and isinstance(value, Instance):
        return torch_bases.initialise_base(machine, value, arguments, keywords)
    base = value.base if isinstance(value, Instance) else value
    method = optimizers.call_method if isinstance(base, Optimizer) else modules.call_method
    return method(machine, value, name, arguments, keywords, text)


def _run_generator(machine: Machine, value: Value) -> Value:
    """Run a generator to its end, for a callee that does not take one element at a time."""
    if isinstance(value, Mapped):
        return Items("iterator", list(find_elements(machine, value)))
    return generators.run_to_end(machine, value) if isinstance(value, Suspended) else value


def _call_torch(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    if optimizers.is_optimizer(name):
        return optimizers.construct_by_name(machine, name, arguments, keywords, text)
    made = modules.construct_module(machine, name, arguments, keywords)
    if made is not None:
        return made
    short = name.rpartition(".")[2]
    known = find_overloads(name)
    chosen = ops.choose_overload(known, arguments, keywords)
    if chosen is None:
        return machine.unknown_call(text or name, [*arguments, *keywords.values()], "" if known else name)
    result = table_ops.run_overload(machine, short, *chosen)
    if isinstance(result, Tensor) and name == f"torch.{short}" and not chosen[0].differentiable:
        factories.describe_result(machine, short, result, *chosen)
    return result
