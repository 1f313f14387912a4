"""Forward, pre-forward and backward hooks of modules."""

from __future__ import annotations

from collections.abc import Callable

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.signatures import keep_open
from inplace_lsp.interpret.state.values import (
    NONE,
    Container,
    Instance,
    Items,
    Mapping,
    Module,
    Tensor,
    Value,
    is_none,
    is_true,
)
from inplace_lsp.interpret.torch_api.handles import make_removal_handle
from inplace_lsp.interpret.torch_api.module_tree import AnyModule
from inplace_lsp.tape.model import NEVER

_WHETHER = "a hook that takes keywords, or runs after an error, is seen by its parameters"

_FORWARD, _BEFORE, _BACKWARD = "_forward_hooks", "_forward_pre_hooks", "_backward_hooks"
"""Where a module keeps its hooks."""


def _of_module(name: str, options: str = "") -> tuple[str, ...]:
    return (f"torch.nn.Module.{name}(module, /, hook{options})",)


def _of_every_module(name: str, options: str = "") -> tuple[str, ...]:
    """Return the signatures under both names: an import from `torch.nn.modules.module` reads as one from `torch.nn`."""
    return tuple(f"{module}.{name}(hook{options})" for module in ("torch.nn.modules.module", "torch.nn"))


@intrinsic(
    *_of_module("register_forward_hook", ", *, prepend=False, with_kwargs=False, always_call=False"),
    with_kwargs=_WHETHER,
    always_call=_WHETHER,
)
def _register_forward(machine: Machine, module: Value, hook: Value, prepend: Value) -> Value:
    """Call the hook after the module's forward; the handle removes it."""
    return _add_hook(_hooks_of(module, _FORWARD), hook, prepend)


@intrinsic(
    *_of_module("register_forward_pre_hook", ", *, prepend=False, with_kwargs=False"),
    with_kwargs=_WHETHER,
)
def _register_before(machine: Machine, module: Value, hook: Value, prepend: Value) -> Value:
    """Call the hook before the module's forward; the handle removes it."""
    return _add_hook(_hooks_of(module, _BEFORE), hook, prepend)


@intrinsic(
    *_of_module("register_full_backward_hook", ", prepend=False"),
    *_of_module("register_full_backward_pre_hook", ", prepend=False"),
    *_of_module("register_backward_hook"),
)
def _register_backward(machine: Machine, module: Value, hook: Value, prepend: Value = NONE) -> Value:
    """Call the hook when the backward pass reaches the module; the handle removes it."""
    return _add_hook(_hooks_of(module, _BACKWARD), hook, prepend)


@intrinsic(
    *_of_every_module("register_module_forward_hook", ", *, with_kwargs=False, always_call=False"),
    with_kwargs=_WHETHER,
    always_call=_WHETHER,
)
def _register_every_forward(machine: Machine, hook: Value) -> Value:
    """Call the hook after the forward of each module; the handle removes it."""
    return _add_hook(_hooks_of_all_modules(machine, _FORWARD), hook, NONE)


@intrinsic(*_of_every_module("register_module_forward_pre_hook"))
def _register_every_before(machine: Machine, hook: Value) -> Value:
    """Call the hook before the forward of each module; the handle removes it."""
    return _add_hook(_hooks_of_all_modules(machine, _BEFORE), hook, NONE)


@intrinsic(
    *_of_every_module("register_module_full_backward_hook"),
    *_of_every_module("register_module_full_backward_pre_hook"),
    *_of_every_module("register_module_backward_hook"),
)
def _register_every_backward(machine: Machine, hook: Value) -> Value:
    """Call the hook when the backward pass reaches any module; the handle removes it."""
    return _add_hook(_hooks_of_all_modules(machine, _BACKWARD), hook, NONE)


def _hooks_of(module: Value, kind: str) -> Value:
    held = module.attributes if isinstance(module, (Module, Container, Instance)) else {}
    return held.setdefault(kind, Items("list", []))


def _hooks_of_all_modules(machine: Machine, kind: str) -> Value:
    return machine.module_hooks.setdefault(kind, Items("list", []))


def _add_hook(kept: Value, hook: Value, first: Value) -> Value:
    """Insert the hook at the front or at the end, and return the handle that removes it."""
    if not isinstance(kept, Items):
        return NONE
    items = kept.items
    items.insert(0 if is_true(first) else len(items), hook)
    return make_removal_handle(items, hook)


def _hooks_to_run(machine: Machine, module: AnyModule, kind: str) -> list[Value]:
    """Return the hooks of this kind that run when the module is called, the global ones first."""
    every, own = machine.module_hooks.get(kind), module.attributes.get(kind)
    return [hook for kept in (every, own) if isinstance(kept, Items) for hook in kept.items]


def call_with_hooks(
    machine: Machine, module: AnyModule, arguments: list[Value], keywords: dict[str, Value], run: Callable[..., Value]
) -> Value:
    """Run the module's call between its hooks; a hook's result replaces the arguments or the output."""
    for hook in _hooks_to_run(machine, module, _BEFORE):
        result = _call_hook(machine, hook, [module, Items("tuple", list(arguments))], keywords)
        if isinstance(result, Items):
            arguments = list(result.items)
        elif result is not None:
            arguments = [result]
    watched = bool(_hooks_to_run(machine, module, _BACKWARD))
    if watched:
        arguments = keep_open(arguments, [_pass_through_hook(machine, argument) for argument in arguments])
    output = run(arguments, keywords)
    if watched:
        output = _pass_through_hook(machine, output)
    for hook in _hooks_to_run(machine, module, _FORWARD):
        result = _call_hook(machine, hook, [module, Items("tuple", list(arguments)), output], keywords)
        output = output if result is None else result
    return output


def _pass_through_hook(machine: Machine, value: Value) -> Value:
    """Pass the tensors that enter or leave a module with a full backward hook through an identity Function."""
    if isinstance(value, Items):
        return value.copy_with_items([_pass_through_hook(machine, item) for item in value.items])
    needs = machine.recorder.needs_grad([value]) if isinstance(value, Tensor) else NEVER
    if not isinstance(value, Tensor) or not needs:
        return value
    return machine.recorder.return_input(value, machine.recorder.new_node("BackwardHook", [value], needs), needs)


def _call_hook(machine: Machine, hook: Value, arguments: list[Value], keywords: dict[str, Value]) -> Value | None:
    """Call the hook and return its result; None if it returns nothing."""
    if keywords and _count_parameters(hook) == len(arguments) + 1:
        arguments = [*arguments[:2], Mapping(dict(keywords)), *arguments[2:]]
    result = machine.call(hook, arguments, {}, "hook")
    return None if is_none(result) else result


def _count_parameters(hook: Value) -> int:
    definition = getattr(hook, "definition", None)
    return len(definition.parameters) if definition is not None else 0
