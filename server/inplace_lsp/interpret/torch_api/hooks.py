"""Forward hooks of modules, and the weights that a parametrization computes before each use."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.state.values import (
    NONE,
    Items,
    Known,
    Mapping,
    Tensor,
    Value,
)
from inplace_lsp.interpret.torch_api.handles import removing_from
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
    return _added(module.attributes.setdefault(_KEPT.get(name, _BACKWARD), Items("list", [])), arguments, keywords)


def _everywhere(name: str) -> Handler:
    """`register_module_forward_hook(hook)` and its kin: a hook of every module."""

    def run(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        return _added(
            machine.module_hooks.setdefault(_KEPT.get(name, _BACKWARD), Items("list", [])), arguments, keywords
        )

    return run


FUNCTIONS: dict[str, Handler] = {
    f"{module}.{name.replace('register', 'register_module', 1)}": _everywhere(name)
    for module in ("torch.nn.modules.module", "torch.nn")
    for name in REGISTERING
}
"""By both names: `from torch.nn.modules.module import ...` is read as an import from the public module."""


def _added(kept: Value, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    hook = arguments[0] if arguments else keywords.get("hook", NONE)
    if not isinstance(kept, Items):
        return NONE
    first = keywords.get("prepend")
    items = kept.items
    items.insert(0 if isinstance(first, Known) and first.value else len(items), hook)
    return removing_from(items, hook)


def _of(machine: Machine, module: AnyModule, kind: str) -> list[Value]:
    """The hooks of that kind that run when the module is called: those of every module first."""
    every, own = machine.module_hooks.get(kind), module.attributes.get(kind)
    return [hook for kept in (every, own) if isinstance(kept, Items) for hook in kept.items]


def around(
    machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value], run: Callable[..., Value]
) -> Value:
    """`run(arguments, keywords)`, the module's call, between its hooks: what one returns replaces what it was given."""
    for hook in _of(machine, module, "_forward_pre_hooks"):
        result = _called(machine, hook, [module, Items("tuple", list(arguments))], keywords)
        if isinstance(result, Items):
            arguments = list(result.items)
        elif result is not None:
            arguments = [result]
    watched = bool(_of(machine, module, _BACKWARD))
    if watched:
        arguments = [_passed(machine, one) for one in arguments]
    output = run(arguments, keywords)
    if watched:
        output = _passed(machine, output)
    for hook in _of(machine, module, "_forward_hooks"):
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
