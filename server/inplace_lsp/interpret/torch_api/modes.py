"""Grad modes as context managers, decorators and calls; and other context managers."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Bound, Function, Instance, Items, Known, Library, Mode, Value

_NAMES = {
    "torch.no_grad": "no_grad",
    "torch.autograd.no_grad": "no_grad",
    "torch.autograd.grad_mode.no_grad": "no_grad",
    "torch.enable_grad": "enable_grad",
    "torch.autograd.enable_grad": "enable_grad",
    "torch.inference_mode": "inference_mode",
    "torch.autograd.inference_mode": "inference_mode",
    "torch.set_grad_enabled": "set_grad_enabled",
    "torch.autograd.set_grad_enabled": "set_grad_enabled",
}
HIDING = tuple(
    f"torch.autograd.graph.{name}" for name in ("allow_mutation_on_saved_tensors", "save_on_cpu", "saved_tensors_hooks")
)
"""Contexts under which a write to what was saved is harmless: torch keeps copies."""
_SWALLOWING = ("contextlib.suppress", "pytest.raises")
CONTEXTS = frozenset({*HIDING, *_SWALLOWING})
"""Context managers that are known by name alone, whatever they are called with."""
AUTOCAST = frozenset(f"torch.{where}autocast" for where in ("", "amp.", "cuda.amp.", "cpu.amp."))


def is_mode(name: str) -> bool:
    """Whether the dotted name is one of torch's grad modes."""
    return name in _NAMES


def make(machine: Machine, name: str, arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`torch.no_grad()` and its kin. `set_grad_enabled(flag)` takes effect when called."""
    kind = _NAMES[name]
    flag = arguments[0] if arguments else keywords.get("mode", Known(True))
    if isinstance(flag, Function) and kind != "set_grad_enabled":
        return decorate(Mode(kind, True), flag)
    enabled = bool(flag.value) if isinstance(flag, Known) else machine.truth(flag)
    mode = Mode(kind, enabled)
    if kind == "set_grad_enabled":
        machine.gradient_evidence = True
        mode.previous = _current(machine)
        _apply(machine, mode)
    return mode


def autocast(arguments: list[Value], keywords: dict[str, Value]) -> Value:
    """`torch.autocast(...)`: matrix products work on, and keep, casts of their operands."""
    enabled = keywords.get("enabled", Known(True))
    return Mode("autocast", not isinstance(enabled, Known) or bool(enabled.value))


def decorate(mode: Mode, function: Value) -> Value:
    """`function` run under `mode`."""
    if isinstance(function, Function):
        name = mode.kind if mode.enabled else f"not {mode.kind}"
        function.modes = (*function.modes, name)
    return function


def _current(machine: Machine) -> tuple[bool, bool, bool]:
    recorder = machine.recorder
    return recorder.grad_mode, recorder.inference_mode, recorder.autocast


def _apply(machine: Machine, mode: Mode) -> None:
    recorder = machine.recorder
    if mode.kind == "inference_mode":
        recorder.inference_mode = bool(mode.enabled)
        recorder.grad_mode = not mode.enabled
    elif mode.kind == "autocast":
        recorder.autocast = bool(mode.enabled)
    elif mode.kind == "set_grad_enabled":
        recorder.grad_mode = bool(mode.enabled)
    else:
        recorder.grad_mode = mode.kind == "enable_grad"


def enter(machine: Machine, manager: Value, text: str) -> Value:
    """`with manager`; returns what `as` binds."""
    if isinstance(manager, Mode):
        if manager.previous is None:
            manager.previous = _current(machine)
        machine.gradient_evidence = machine.gradient_evidence or manager.kind != "autocast"
        _apply(machine, manager)
        return manager
    if isinstance(manager, Library) and manager.name in _NAMES:
        return manager
    if isinstance(manager, Instance) and manager.cls.lookup("__enter__") is not None:
        return machine.call(machine.attribute(manager, "__enter__"), [], {})
    if isinstance(manager, Library) and manager.name in HIDING:
        machine.recorder.hiding += 1
        return manager
    return manager


EXIT_STACK = "exit stack"
"""The kind of the value that holds what `contextlib.ExitStack` has entered."""


def push(machine: Machine, stack: Items, manager: Value, text: str) -> Value:
    """`stack.enter_context(manager)`: it is left when the stack is."""
    stack.items.append(manager)
    return enter(machine, manager, text)


def enter_named(machine: Machine, name: str) -> Mode:
    """Enter the mode a decorator put on a function."""
    kind = name.removeprefix("not ")
    mode = Mode(kind, kind == name, _current(machine))
    machine.gradient_evidence = machine.gradient_evidence or kind == "enable_grad"
    _apply(machine, mode)
    return mode


def leave(machine: Machine, manager: Value) -> None:
    """The end of `with manager`."""
    if isinstance(manager, Mode) and manager.previous is not None:
        recorder = machine.recorder
        recorder.grad_mode, recorder.inference_mode, recorder.autocast = manager.previous
        manager.previous = None
    elif isinstance(manager, Library) and manager.name in HIDING:
        machine.recorder.hiding -= 1
    elif isinstance(manager, Items) and manager.kind == EXIT_STACK:
        while manager.items:
            leave(machine, manager.items.pop())
    elif isinstance(manager, Instance) and manager.cls.lookup("__exit__") is not None:
        method = manager.cls.lookup("__exit__")
        if isinstance(method, Function):
            machine.call(Bound(manager, method), [Known(None), Known(None), Known(None)], {})


def suppresses(manager: Value) -> bool:
    """Whether the context manager swallows what is raised inside."""
    return isinstance(manager, Library) and manager.name in _SWALLOWING
