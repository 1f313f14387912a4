"""Parameters that a module computes at each use: weight norm, spectral norm, pruning, `parametrize`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Computed, Container, Known, Tensor, Value
from inplace_lsp.interpret.torch_api.module_tree import AnyModule
from inplace_lsp.tape.model import ALWAYS

_CHECKS = "what raises ends the program"


@intrinsic(
    "torch.nn.utils.parametrize.register_parametrization(module, tensor_name, parametrization, *, unsafe=False)",
    unsafe=_CHECKS,
)
def _register_parametrization(
    machine: Machine, module: Value, tensor_name: Value, parametrization: Value, text: str
) -> Value:
    """Compute a parameter from the original at each use."""
    name = _tensor_name(tensor_name)
    if not isinstance(module, AnyModule):
        return module
    held = _parametrization_list(module, name)
    if "original" not in held.attributes:
        held.attributes["original"] = module.attributes.get(name, NONE)
    held.items[str(len(held.items))] = parametrization

    def compute() -> Value:
        value = held.attributes["original"]
        for step in held.items.values():
            value = machine.call(step, [value], {}, text)
        return value

    module.attributes[name] = _compute_at_each_use(machine, held, compute)
    return module


def _compute_at_each_use(machine: Machine, key: object, compute: Callable[[], Value]) -> Computed:
    """Return a weight that `compute` makes at each use, or once while weights are cached."""

    def read() -> Value:
        if not machine.caching:
            return compute()
        if id(key) not in machine.cached_weights:
            machine.cached_weights[id(key)] = compute()
        return machine.cached_weights[id(key)]

    return Computed(read)


@intrinsic(
    "torch.nn.utils.parametrize.remove_parametrizations(module, tensor_name, leave_parametrized=True)",
    leave_parametrized="whichever value it has, the weight is a parameter again",
)
def _remove_parametrization(machine: Machine, module: Value, tensor_name: Value) -> Value:
    """Turn the computed value into a parameter."""
    name = _tensor_name(tensor_name)
    if isinstance(module, AnyModule) and isinstance(module.attributes.get(name), Computed):
        module.attributes[name] = _make_parameter(machine, f"self.{name}")
    return module


@intrinsic(
    "torch.nn.utils.remove_weight_norm(module, name='weight')",
    "torch.nn.utils.remove_spectral_norm(module, name='weight')",
)
def _remove_norm(machine: Machine, module: Value, name: Value) -> Value:
    """Turn the computed weight into a parameter."""
    return _remove_parametrization(machine, module, name)


_HOW = "every norm keeps the weight it is computed from"


@intrinsic("torch.nn.utils.weight_norm(module, name='weight', dim=0)", dim=_HOW)
def _weight_norm(machine: Machine, module: Value, name: Value, text: str) -> Value:
    """Compute the weight from its length and its direction."""
    return _normalise_weight(machine, module, name, ("_g", "_v"), text)


@intrinsic(
    "torch.nn.utils.spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None)",
    n_power_iterations=_HOW,
    eps=_HOW,
    dim=_HOW,
)
def _spectral_norm(machine: Machine, module: Value, name: Value, text: str) -> Value:
    """Compute the weight from the original by its largest singular value."""
    return _normalise_weight(machine, module, name, ("_orig",), text)


@intrinsic("torch.nn.utils.parametrizations.weight_norm(module, name='weight', dim=0)", dim=_HOW)
def _parametrized_weight_norm(machine: Machine, module: Value, name: Value, text: str) -> Value:
    """Compute the weight from its length and its direction."""
    return _normalise_weight(machine, module, name, ("original0", "original1"), text)


@intrinsic(
    "torch.nn.utils.parametrizations.spectral_norm(module, name='weight', n_power_iterations=1, eps=1e-12, dim=None)",
    "torch.nn.utils.parametrizations.orthogonal(module, name='weight', orthogonal_map=None, *, "
    "use_trivialization=True)",
    n_power_iterations=_HOW,
    eps=_HOW,
    dim=_HOW,
    orthogonal_map=_HOW,
    use_trivialization=_HOW,
)
def _parametrized_norm(machine: Machine, module: Value, name: Value, text: str) -> Value:
    """Compute the weight from the original."""
    return _normalise_weight(machine, module, name, ("original",), text)


def _normalise_weight(machine: Machine, module: Value, name: Value, parts: tuple[str, ...], text: str) -> Value:
    """Compute the weight of a module from `parts`, which the op that computes it saves."""
    weight = _tensor_name(name)
    current = module.attributes.get(weight) if isinstance(module, AnyModule) else None
    if not isinstance(module, AnyModule) or not isinstance(current, Tensor):
        return module
    originals = _make_originals(machine, module, weight, current, parts)
    module.attributes[weight] = _compute_at_each_use(
        machine, current, lambda: _combine_originals(machine, text, weight, originals)
    )
    return module


def _tensor_name(given: Value) -> str:
    return str(given.value) if isinstance(given, Known) else "weight"


def _parametrization_list(module: AnyModule, name: str) -> Container:
    """Return `module.parametrizations.name`: the steps applied to the original, which is an attribute of it."""
    held = module.attributes.setdefault("parametrizations", Container("ModuleDict", {}))
    entry = held.items.setdefault(name, Container("ModuleList", {})) if isinstance(held, Container) else None
    return entry if isinstance(entry, Container) else Container("ModuleList", {})


def _make_parameter(machine: Machine, name: str) -> Tensor:
    made = machine.recorder.new_tensor("Parameter", name=name, requires_grad=ALWAYS)
    made.parameter = True
    return made


def _make_originals(
    machine: Machine, module: AnyModule, name: str, current: Tensor, parts: tuple[str, ...]
) -> list[Tensor]:
    """Return the parameters that the weight is computed from; the last of `parts` is the weight, renamed."""
    made: list[Tensor] = []
    for part in parts:
        tensor = current if part == parts[-1] else replace(_make_parameter(machine, current.name), shape=None)
        tensor.name = f"{current.name.removesuffix(parts[-1])}{part}"
        where = _parametrization_list(module, name) if part.startswith("original") else module
        where.attributes[part if part.startswith("original") else f"{name}{part}"] = tensor
        made.append(tensor)
    return made


def _combine_originals(machine: Machine, op: str, name: str, originals: list[Tensor]) -> Value:
    recorder = machine.recorder
    needs = recorder.needs_grad(originals)
    node = recorder.new_node(op, originals, needs) if needs else None
    result = recorder.new_tensor(op, name=name, requires_grad=needs, node=node)
    result.shape = originals[-1].shape
    if node is not None:
        for tensor in originals:
            recorder.save_tensor(node, tensor, op, "input", needs)
    return result
