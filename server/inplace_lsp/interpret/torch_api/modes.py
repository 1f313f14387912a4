"""Grad modes as context managers, decorators and calls, and other context managers."""

from __future__ import annotations

from dataclasses import replace

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.machine.intrinsics import intrinsic
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Function,
    Instance,
    Known,
    Library,
    Mode,
    Unknown,
    Value,
    is_false,
    is_true,
)
from inplace_lsp.source import ir

_GRAD_MODES = frozenset({"no_grad", "enable_grad", "inference_mode", "set_grad_enabled"})


def _grad_mode_signatures(name: str, parameters: str) -> tuple[str, ...]:
    """Return the signature of a grad mode under each of its names."""
    return tuple(f"{module}.{name}({parameters})" for module in ("torch", "torch.autograd", "torch.autograd.grad_mode"))


@intrinsic(*_grad_mode_signatures("no_grad", "orig_func=None"))
def _no_grad(machine: Machine, orig_func: Value) -> Value:
    """Return the mode in which ops are not recorded."""
    return _mode_or_function("no_grad", orig_func)


@intrinsic(*_grad_mode_signatures("enable_grad", "orig_func=None"))
def _enable_grad(machine: Machine, orig_func: Value) -> Value:
    """Return the mode in which ops are recorded."""
    return _mode_or_function("enable_grad", orig_func)


@intrinsic(*_grad_mode_signatures("inference_mode", "mode=True"))
def _inference_mode(machine: Machine, mode: Value) -> Value:
    """Return the mode in which ops are not recorded and new tensors never take part in a graph."""
    if isinstance(mode, (Function, Class)):
        return _mode_or_function("inference_mode", mode)
    return Mode("inference_mode", machine.decide_truth(mode))


@intrinsic(*_grad_mode_signatures("set_grad_enabled", "mode"))
def _set_grad_enabled(machine: Machine, mode: Value) -> Value:
    """Set whether ops are recorded from this call on; as a context manager it restores the mode."""
    made = Mode("set_grad_enabled", machine.decide_truth(mode), _current_modes(machine))
    machine.gradient_evidence = True
    _apply_mode(machine, made)
    return made


def _mode_or_function(kind: str, function: Value) -> Value:
    """Return the mode, or the function that runs in it."""
    mode = Mode(kind, True)
    return mode if isinstance(function, Known) else decorate_with_mode(mode, function)


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
def _enter_autocast(machine: Machine, enabled: Value) -> Value:
    """Return the mode in which matrix products use and save casts of their operands."""
    return Mode("autocast", not is_false(enabled))


@intrinsic("torch.autograd.graph.allow_mutation_on_saved_tensors()")
def _keep_copies(machine: Machine) -> Value:
    """Return the mode in which copies are saved, so that a write to a saved tensor is harmless."""
    return Mode("keeping_copies", True)


@intrinsic(
    "torch.autograd.graph.save_on_cpu(pin_memory=False, device_type='cuda')",
    device_type="a program without a GPU keeps what it has, whatever it is called",
)
def _keep_on_cpu(machine: Machine, pin_memory: Value) -> Value:
    """Return the mode in which tensors are kept on the CPU: as they are, if they certainly lie there."""
    on_cpu = machine.runs_program and not machine.recorder.moves
    return Mode("keeping_copies" if is_true(pin_memory) or not on_cpu else "keeping_tensors", True)


@intrinsic(
    "torch.autograd.graph.saved_tensors_hooks(pack_hook, unpack_hook)",
    unpack_hook="what it is given is taken for what was kept",
)
def _keep_by_hooks(machine: Machine, pack_hook: Value) -> Value:
    """Return the mode in which a hook says what is kept: the tensor that it is given, or else a copy."""
    return Mode("keeping_tensors" if _returns_what_it_is_given(pack_hook) else "keeping_copies", True)


def _returns_what_it_is_given(hook: Value) -> bool:
    """Return whether a function does nothing but return its argument."""
    definition = hook.definition if isinstance(hook, Function) else None
    if definition is None or len(definition.parameters) != 1:
        return False
    returned: ir.Expr | None = None
    if isinstance(definition, ir.Lambda):
        returned = definition.body
    elif len(definition.body) == 1 and isinstance(definition.body[0], ir.Return):
        returned = definition.body[0].value
    return isinstance(returned, ir.Name) and returned.id == definition.parameters[0].name


@intrinsic(
    "torch.autograd._unsafe_preserve_version_counter(tensors)",
    "torch.autograd.grad_mode._unsafe_preserve_version_counter(tensors)",
)
def _preserve_versions(machine: Machine, tensors: Value) -> Value:
    """Return the mode after which the version counters of these tensors are as they were before it."""
    held = tensors_in(machine.recorder, tensors)
    return Mode("preserving_versions", True, counters=tuple(tensor.counter for tensor in held))


@intrinsic(
    "contextlib.suppress(*exceptions)",
    "pytest.raises(expected_exception=None, func=None, *args, **kwargs)",
    **dict.fromkeys(
        "exceptions expected_exception func args kwargs".split(), "a program raises what it says it raises"
    ),
)
def _suppress_exceptions(machine: Machine) -> Value:
    """Return the context manager that swallows exceptions."""
    return Mode("suppressing", True)


@intrinsic("torch.nn.utils.parametrize.cached()")
def _cache_weights(machine: Machine) -> Value:
    """Return the mode in which parametrized weights are computed once."""
    return Mode("caching", True)


def decorate_with_mode(mode: Mode, function: Value) -> Value:
    """Let `function` run in `mode`; of a class only its constructor, since torch wraps the call of the class."""
    name = mode.kind if mode.enabled else f"not {mode.kind}"
    if isinstance(function, Function):
        function.modes = (*function.modes, name)
    elif isinstance(function, Class):
        constructor = function.look_up("__init__")
        if isinstance(constructor, Function):  # it may be a base's, which is not decorated
            function.members["__init__"] = replace(constructor, modes=(*constructor.modes, name))
    return function


def _current_modes(machine: Machine) -> tuple[bool, bool, bool, tuple[str, ...]]:
    recorder = machine.recorder
    return recorder.grad_mode, recorder.inference_mode, recorder.autocast, recorder.scopes.current


def _apply_mode(machine: Machine, mode: Mode) -> None:
    recorder = machine.recorder
    if mode.kind in _GRAD_MODES:
        recorder.scopes.change_to(())
    if mode.kind == "inference_mode":
        recorder.inference_mode = bool(mode.enabled)
        recorder.grad_mode = not mode.enabled
    elif mode.kind == "autocast":
        recorder.autocast = bool(mode.enabled)
    elif mode.kind == "set_grad_enabled":
        recorder.grad_mode = bool(mode.enabled)
    elif mode.kind == "keeping_copies":
        recorder.hiding += 1
    elif mode.kind == "keeping_tensors":
        recorder.unchecking += 1
    elif mode.kind == "caching":
        machine.caching += 1
    elif mode.kind == "preserving_versions":
        mode.versions = tuple(counter.version for counter in mode.counters)
    elif mode.kind in _GRAD_MODES:
        recorder.grad_mode = mode.kind == "enable_grad"


def enter_context(machine: Machine, manager: Value) -> Value:
    """Enter `with manager` and return what `as` binds."""
    if isinstance(manager, Mode):
        if manager.previous is None:
            manager.previous = _current_modes(machine)
        machine.gradient_evidence = machine.gradient_evidence or manager.kind in _GRAD_MODES
        _apply_mode(machine, manager)
        return manager
    if isinstance(manager, Instance) and manager.cls.look_up("__enter__") is not None:
        return machine.call(machine.get_attribute(manager, "__enter__"), [], {})
    return manager


def enter_mode_of_decorator(machine: Machine, name: str) -> Mode:
    """Enter the mode that a decorator put on a function."""
    kind = name.removeprefix("not ")
    mode = Mode(kind, kind == name, _current_modes(machine))
    machine.gradient_evidence = machine.gradient_evidence or kind == "enable_grad"
    _apply_mode(machine, mode)
    return mode


def leave_context(machine: Machine, manager: Value) -> None:
    """Leave `with manager`."""
    if isinstance(manager, Mode) and manager.previous is not None:
        _undo_mode(machine, manager, manager.previous)
    elif isinstance(manager, Instance):
        method = manager.cls.look_up("__exit__")
        if isinstance(method, Function):
            machine.call(Bound(manager, method), [Known(None), Known(None), Known(None)], {})


def _undo_mode(machine: Machine, mode: Mode, previous: tuple[bool, bool, bool, tuple[str, ...]]) -> None:
    """Restore what a mode has changed."""
    recorder = machine.recorder
    recorder.grad_mode, recorder.inference_mode, recorder.autocast, scopes = previous
    recorder.scopes.change_to(scopes)
    mode.previous = None
    for counter, version in zip(mode.counters, mode.versions, strict=False):
        counter.version = version
    if mode.kind == "keeping_copies":
        recorder.hiding -= 1
    elif mode.kind == "keeping_tensors":
        recorder.unchecking -= 1
    elif mode.kind == "caching":
        machine.caching -= 1
        if not machine.caching:
            machine.cached_weights.clear()


def is_assumed_to_record(machine: Machine, scope: Value) -> bool:
    """Return whether gradients are on, and no visible code shows that this context manager or decorator leaves them on.

    One of a library is assumed to do what its name says.
    """
    if not machine.recorder.grad_mode or machine.recorder.inside:
        return False
    if isinstance(scope, Library):
        return scope.name.startswith(".")  # a module of the program that is not in sight
    return isinstance(scope, Unknown) and not scope.library


def is_suppressing(manager: Value) -> bool:
    """Return whether the context manager swallows exceptions."""
    return isinstance(manager, Mode) and manager.kind == "suppressing"
