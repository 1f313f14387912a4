"""Parameters that a module computes anew at each use: weight norm, spectral norm, pruning, `parametrize`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import NONE, Computed, Container, Instance, Known, Module, Tensor, Value
from inplace_lsp.tape.model import ALWAYS


def register(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`parametrize.register_parametrization(module, name, parametrization)`."""
    module, name = _target(arguments, keywords, "tensor_name")
    chain = arguments[2] if len(arguments) > 2 else keywords.get("parametrization", NONE)
    if module is None:
        return arguments[0] if arguments else NONE
    held = _list_of(module, name)
    if "original" not in held.items:
        held.items["original"] = module.attributes.get(name, NONE)
    held.items[str(len(held.items) - 1)] = chain

    def compute() -> Value:
        steps = [one for key, one in held.items.items() if key != "original"]
        value = held.items["original"]
        for step in steps:
            value = machine.call(step, [value], {}, text)
        return value

    module.attributes[name] = Computed(compute)
    return module


def remove(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """`remove_parametrizations`, `remove_weight_norm`, ...: the computed value becomes a parameter."""
    module, name = _target(arguments, keywords, "tensor_name")
    if module is not None and isinstance(module.attributes.get(name), Computed):
        module.attributes[name] = _parameter(machine, f"self.{name}")
    return module if module is not None else NONE


def normed(kept: bool, *parts: str) -> Callable[[Machine, list[Value], dict[str, Value], str], Value]:
    """`weight_norm(module)` and its kin: the weight comes from `parts`; `kept`: the op that makes it keeps them."""

    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        module, name = _target(arguments, keywords, "name")
        current = module.attributes.get(name) if module is not None else None
        if module is None or not isinstance(current, Tensor):
            return arguments[0] if arguments else NONE
        originals = _originals(machine, module, name, current, parts)
        module.attributes[name] = Computed(lambda: _combined(machine, text, name, originals, kept=kept))
        return module

    return run


def _target(
    arguments: list[Value], keywords: dict[str, Value], word: str
) -> tuple[Module | Container | Instance | None, str]:
    given = arguments[0] if arguments else keywords.get("module", NONE)
    name = keywords.get(word, arguments[1] if len(arguments) > 1 else Known("weight"))
    module = given if isinstance(given, Module | Container | Instance) else None
    return module, str(name.value) if isinstance(name, Known) else "weight"


def _list_of(module: Module | Container | Instance, name: str) -> Container:
    """`module.parametrizations.name`: the original and what is applied to it."""
    held = module.attributes.setdefault("parametrizations", Container("ModuleDict", {}))
    entry = held.items.setdefault(name, Container("ModuleList", {})) if isinstance(held, Container) else None
    return entry if isinstance(entry, Container) else Container("ModuleList", {})


def _parameter(machine: Machine, name: str) -> Tensor:
    made = machine.recorder.fresh("Parameter", name=name, requires_grad=ALWAYS)
    made.parameter = True
    return made


def _originals(
    machine: Machine, module: Module | Container | Instance, name: str, current: Tensor, parts: tuple[str, ...]
) -> list[Tensor]:
    """The parameters the weight is computed from: the last of `parts` is the weight itself, under a new name."""
    made: list[Tensor] = []
    for part in parts:
        tensor = current if part == parts[-1] else replace(_parameter(machine, current.name), shape=None)
        tensor.name = f"{current.name.removesuffix(parts[-1])}{part}"
        where = _list_of(module, name).items if part.startswith("original") else module.attributes
        where[part if part.startswith("original") else f"{name}{part}"] = tensor
        made.append(tensor)
    return made


def _combined(machine: Machine, op: str, name: str, originals: list[Tensor], *, kept: bool) -> Value:
    recorder = machine.recorder
    needs = recorder.needs_grad(originals)
    node = recorder.node(op, originals, needs) if needs else None
    result = recorder.fresh(op, name=name, requires_grad=needs, node=node)
    result.shape = originals[-1].shape
    if node is not None:
        for tensor in originals if kept else ():
            recorder.save(node, tensor, op, "input", needs)
        if not kept:
            recorder.save_private(node, op)
    return result
