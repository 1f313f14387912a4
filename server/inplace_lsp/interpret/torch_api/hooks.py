"""Forward hooks of modules, and the weights that a parametrization computes before each use."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Class,
    Instance,
    Items,
    Known,
    Mapping,
    Native,
    Tensor,
    Value,
)
from inplace_lsp.interpret.torch_api.module_tree import AnyModule
from inplace_lsp.tape.model import NEVER

REGISTERING = frozenset(
    ("register_forward_hook", "register_forward_pre_hook", "register_full_backward_hook",
     "register_full_backward_pre_hook", "register_backward_hook")
)  # fmt: skip
_KEPT = {"register_forward_hook": "_forward_hooks", "register_forward_pre_hook": "_forward_pre_hooks"}
"""Where a module keeps its hooks."""
_BACKWARD = "_backward_hooks"


def register(
    machine: Machine, module: AnyModule, name: str, arguments: list[Value], keywords: dict[str, Value]
) -> Value:
    """`module.register_forward_hook(hook)` and its kin; returns the handle that removes it."""
    kept = module.attributes.setdefault(_KEPT.get(name, _BACKWARD), Items("list", []))
    hook = arguments[0] if arguments else keywords.get("hook", NONE)
    if not isinstance(kept, Items):
        return NONE
    first = keywords.get("prepend")
    kept.items.insert(0 if isinstance(first, Known) and first.value else len(kept.items), hook)
    return _handle(kept, hook)


def _handle(kept: Items, hook: Value) -> Instance:
    def remove(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        kept.items[:] = [one for one in kept.items if one is not hook]
        return NONE

    return Instance(Class("RemovableHandle", (), (), {}), {"remove": Native(remove)}, name="handle")


def _of(module: AnyModule, name: str) -> list[Value]:
    kept = module.attributes.get(_KEPT[name])
    return list(kept.items) if isinstance(kept, Items) else []


def around(
    machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value], run: Callable[..., Value]
) -> Value:
    """`run(arguments, keywords)`, the module's call, between its hooks: what one returns replaces what it was given."""
    for hook in _of(module, "register_forward_pre_hook"):
        result = _called(machine, hook, [module, Items("tuple", list(arguments))], keywords)
        if isinstance(result, Items):
            arguments = list(result.items)
        elif result is not None:
            arguments = [result]
    held = module.attributes.get(_BACKWARD)
    watched = isinstance(held, Items) and bool(held.items)
    if watched:
        arguments = [_passed(machine, one) for one in arguments]
    output = run(arguments, keywords)
    if watched:
        output = _passed(machine, output)
    for hook in _of(module, "register_forward_hook"):
        result = _called(machine, hook, [module, Items("tuple", list(arguments)), output], keywords)
        output = output if result is None else result
    return output


def _passed(machine: Machine, value: Value) -> Value:
    """A full backward hook lets what goes in and out pass through a custom Function that returns it as it is."""
    if isinstance(value, Items):
        return value.holding([_passed(machine, one) for one in value.items])
    needs = machine.recorder.needs_grad([value]) if isinstance(value, Tensor) else NEVER
    if not isinstance(value, Tensor) or not needs:
        return value
    return machine.recorder.handed_back(value, machine.recorder.node("BackwardHook", [value], needs), needs)


def _called(machine: Machine, hook: Value, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """What the hook returns, None if nothing."""
    if keywords and _takes(hook) == len(arguments) + 1:
        arguments = [*arguments[:2], Mapping(dict(keywords)), *arguments[2:]]
    result = machine.call(hook, arguments, {}, "hook")
    return None if isinstance(result, Known) and result.value is None else result


def _takes(hook: Value) -> int:
    definition = getattr(hook, "definition", None)
    return len(definition.parameters) if definition is not None else 0
