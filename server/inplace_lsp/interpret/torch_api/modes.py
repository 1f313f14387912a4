"""Grad modes as context managers, decorators and calls; and other context managers."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Bound, Function, Instance, Known, Mode, Value, is_false

_GRAD_MODES = frozenset({"no_grad", "enable_grad", "inference_mode", "set_grad_enabled"})


def _grad_mode(name: str, parameters: str) -> tuple[str, ...]:
    """The signature of a grad mode, under all names it has."""
    return tuple(f"{module}.{name}({parameters})" for module in ("torch", "torch.autograd", "torch.autograd.grad_mode"))


@intrinsic(*_grad_mode("no_grad", "orig_func=None"))
def _no_grad(machine: Machine, orig_func: Value) -> Value:
    """Ops are not recorded under it."""
    return _mode("no_grad", orig_func)


@intrinsic(*_grad_mode("enable_grad", "orig_func=None"))
def _enable_grad(machine: Machine, orig_func: Value) -> Value:
    """Ops are recorded under it."""
    return _mode("enable_grad", orig_func)


@intrinsic(*_grad_mode("inference_mode", "mode=True"))
def _inference_mode(machine: Machine, mode: Value) -> Value:
    """Ops are not recorded under it, and tensors made under it never take part in a graph."""
    if isinstance(mode, Function):
        return _mode("inference_mode", mode)
    return Mode("inference_mode", machine.truth(mode))


@intrinsic(*_grad_mode("set_grad_enabled", "mode"))
def _set_grad_enabled(machine: Machine, mode: Value) -> Value:
    """Whether ops are recorded, from the call on; a `with` takes it back."""
    made = Mode("set_grad_enabled", machine.truth(mode), _current(machine))
    machine.gradient_evidence = True
    _apply(machine, made)
    return made


def _mode(kind: str, function: Value) -> Value:
    """The mode, or the function that runs under it."""
    mode = Mode(kind, True)
    return mode if isinstance(function, Known) else decorate(mode, function)


_CASTS = "what matrix products keep is a cast, of whatever type"


@intrinsic(
    "torch.autocast(device_type, dtype=None, enabled=True, cache_enabled=None)",
    "torch.amp.autocast(device_type, dtype=None, enabled=True, cache_enabled=None)",
    "torch.cuda.amp.autocast(enabled=True, dtype=None, cache_enabled=True)",
    "torch.cpu.amp.autocast(enabled=True, dtype=None, cache_enabled=True)",
    device_type="programs are judged by what happens where a type is cast",
    dtype=_CASTS,
    cache_enabled=_CASTS,
)
def _autocast(machine: Machine, enabled: Value) -> Value:
    """Matrix products work on, and keep, casts of their operands."""
    return Mode("autocast", not is_false(enabled))


@intrinsic(
    "torch.autograd.graph.allow_mutation_on_saved_tensors()",
    "torch.autograd.graph.save_on_cpu(pin_memory=False, device_type='cuda')",
    "torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook)",
    pin_memory="copies are kept, wherever they lie",
    device_type="copies are kept, wherever they lie",
    pack_hook="what it keeps is taken for a copy",
    unpack_hook="what it is given is taken for a copy",
)
def _keep_copies(machine: Machine) -> Value:
    """A write to what was saved under it is harmless: copies are kept."""
    return Mode("keeping_copies", True)


@intrinsic(
    "contextlib.suppress(*exceptions)",
    "pytest.raises(expected_exception=None, func=None, *args, **kwargs)",
    **dict.fromkeys(
        "exceptions expected_exception func args kwargs".split(), "a program raises what it says it raises"
    ),
)
def _suppress(machine: Machine) -> Value:
    """What is raised under it goes no further."""
    return Mode("suppressing", True)


@intrinsic("torch.nn.utils.parametrize.cached()")
def _cache_weights(machine: Machine) -> Value:
    """Compute a weight once that is computed at each use elsewhere."""
    return Mode("caching", True)


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
    elif mode.kind == "keeping_copies":
        recorder.hiding += 1
    elif mode.kind == "caching":
        machine.caching += 1
    elif mode.kind in _GRAD_MODES:
        recorder.grad_mode = mode.kind == "enable_grad"


def enter(machine: Machine, manager: Value) -> Value:
    """`with manager`; returns what `as` binds."""
    if isinstance(manager, Mode):
        if manager.previous is None:
            manager.previous = _current(machine)
        machine.gradient_evidence = machine.gradient_evidence or manager.kind in _GRAD_MODES
        _apply(machine, manager)
        return manager
    if isinstance(manager, Instance) and manager.cls.lookup("__enter__") is not None:
        return machine.call(machine.attribute(manager, "__enter__"), [], {})
    return manager


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
        if manager.kind == "keeping_copies":
            recorder.hiding -= 1
        elif manager.kind == "caching":
            machine.caching -= 1
            if not machine.caching:
                machine.cached_weights.clear()
    elif isinstance(manager, Instance) and manager.cls.lookup("__exit__") is not None:
        method = manager.cls.lookup("__exit__")
        if isinstance(method, Function):
            machine.call(Bound(manager, method), [Known(None), Known(None), Known(None)], {})


def suppresses(manager: Value) -> bool:
    """Whether the context manager swallows what is raised inside."""
    return isinstance(manager, Mode) and manager.kind == "suppressing"
