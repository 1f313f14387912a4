"""Calls of functions whose body is at hand, the user's and those of models: it is executed with the arguments bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Paused, Return
from inplace_lsp.interpret.python import dispatch, models
from inplace_lsp.interpret.state.facts import ModuleText
from inplace_lsp.interpret.state.frames import Frame, installed_name
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.signatures import bind, bind_plainly
from inplace_lsp.interpret.state.values import (
    DRIVER,
    NONE,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Mapping,
    Module,
    Suspended,
    Unknown,
    Value,
    key_of,
)
from inplace_lsp.interpret.torch_api import modes
from inplace_lsp.source import ir

DEPTH = 24
"""Calls inside calls that are followed."""
RECURSION = 2
"""Times the same function may be active at once, where nothing tells one call from the next."""
DEEPEST = 8
"""Times it may be active at once for other objects, or with other numbers."""


def call_user(
    machine: Machine,
    function: Function,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str = "",
    on_yield: Callable[[Value], None] | None = None,
) -> Value:
    """Execute the body of `function` with these arguments; a generator waits for its loop or `with` (`on_yield`)."""
    if function.dispatch is not None:
        function = dispatch.choose(machine, function, function.dispatch, arguments)
    definition = function.definition
    if on_yield is None and isinstance(definition, ir.FunctionDef) and definition.is_generator:
        if function.frame.globals().model is not None and not bind(definition.parameters, arguments, keywords).fits:
            return machine.unknown_call(text or function.name, [*arguments, *keywords.values()])
        return Suspended(function, arguments, keywords)
    remembered = _key_of_call(arguments, keywords) if function.results is not None else None
    if function.results is not None and remembered in function.results:
        return function.results[remembered]
    scope = function.frame.globals()
    abroad = scope.abroad
    stack = machine.stack
    active = [frame.told_by for frame in stack if frame.running is function] if stack else []
    told_by = _told_by(arguments) if active else ()
    if (abroad and machine.abroad < 0) or len(stack) >= DEPTH or (active and _is_deep(active, told_by)):
        left_out = machine.unknown_call(
            text or function.name, [*arguments, *keywords.values()], _library_name(function)
        )
        left_out.may_cut = function.owner is None
        return left_out
    if scope.model is None:
        machine.called.add(id(definition))
    if function.kind == DRIVER:
        _note_driven(machine, [*arguments, *keywords.values()])
    outer = function.frame
    scope.asked.add(function.owner.name if function.owner else function.name)
    frame = Frame(outer.file, outer.row, function.name, parent=_enclosing(outer), module=scope)
    frame.running, frame.told_by = function, told_by
    frame.owner = function.owner
    frame.on_yield = on_yield
    if not bind_parameters(machine, function, frame, arguments, keywords):
        return machine.unknown_call(text or function.name, [*arguments, *keywords.values()])
    frame.self = arguments[0] if function.owner is not None and arguments else outer.self
    recorder, choices = machine.recorder, machine.choices
    outermost = recorder.call, recorder.through
    if scope.model is None:  # what a library does, the user's own statement does
        _note_call(machine, function)
    if abroad and (scope.foreign or not machine.decides_abroad):  # paths are for the file that is judged
        machine.choices = Choices()
    try:
        result = run_body(machine, function, frame, definition)
    except Paused as paused:
        paused.within(partial(_go_on, machine, frame))
        raise
    finally:
        (recorder.call, recorder.through), machine.choices = outermost, choices
    if function.results is not None:
        function.results[remembered] = result
    return result


def _go_on(machine: Machine, frame: Frame, rest: Callable[[], None]) -> None:
    """Run the rest of a function's body that was left at a `yield`, as a call of its own."""
    recorder = machine.recorder
    site, inside, outermost = recorder.site, recorder.inside, (recorder.call, recorder.through)
    frame.on_yield = lambda value: None
    if frame.running is not None and frame.globals().model is None:
        recorder.inside = ""
        _note_call(machine, frame.running)
    machine.stack.append(frame)
    try:
        rest()
    except Return:
        pass
    finally:
        machine.stack.pop()
        recorder.site, recorder.inside, (recorder.call, recorder.through) = site, inside, outermost


def _note_driven(machine: Machine, given: list[Value]) -> None:
    """Note the classes of the objects that a framework is given: it calls them in its own order."""
    classes = [one.cls for one in given if isinstance(one, Instance)]
    machine.driven.update(one.name for cls in classes for one in cls.lineage())


def _note_call(machine: Machine, function: Function) -> None:
    """Note where the user's code leaves the statement that is judged, and for which function."""
    recorder = machine.recorder
    if is_outermost(machine):  # `main()` at the end of the file says nothing, a call into another file does
        recorder.call = recorder.site if function.frame.file != recorder.site.file else None
        recorder.through = ()
        return
    recorder.through = (*recorder.through, function.name)
    if recorder.call is None:
        recorder.call = recorder.site


def _library_name(function: Function) -> str:
    """The dotted name of an installed package's function; "" of any other."""
    package = installed_name(function.frame.file) if function.frame.globals().model is None else ""
    names = (package, function.owner.name if function.owner else "", function.name)
    return ".".join(one for one in names if one) if package else ""


def _told_by(arguments: list[Value]) -> tuple[object, ...]:
    """What tells a call of a function from another one: the objects it is about, the numbers and texts it is given."""
    constants = (one.value for one in arguments if isinstance(one, Known) and isinstance(one.value, (int, float, str)))
    return (*(id(one) for one in arguments if isinstance(one, _OBJECTS)), *constants)


_OBJECTS = (Instance, Module, Container, Items, Mapping)


def _is_deep(active: list[tuple[object, ...]], told_by: tuple[object, ...]) -> bool:
    """Whether a function is active as often as it may be; `active` is what tells those calls apart."""
    return len(active) >= (RECURSION if not told_by or told_by in active else DEEPEST)


def _key_of_call(arguments: list[Value], keywords: dict[str, Value]) -> object:
    """The key under which a function that remembers its results keeps that of this call."""
    return (*map(key_of, arguments), *((name, key_of(value)) for name, value in sorted(keywords.items())))


def _enclosing(frame: Frame) -> Frame | None:
    """The scope a function defined in `frame` closes over: class bodies and modules are none."""
    while frame.owner is not None and frame.function == "<class>" and frame.parent is not None:
        frame = frame.parent
    return frame if frame.module is not None else None


def run_body(machine: Machine, function: Function, frame: Frame, definition: ir.FunctionDef | ir.Lambda) -> Value:
    """Execute a function's body in a frame whose parameters are bound; the recorder's place and modes are restored."""
    recorder = machine.recorder
    site, inside = recorder.site, recorder.inside
    model = (frame.module or frame).model
    recorder.inside = "" if model is None else inside or _describe_library_call(function, model)
    before = (recorder.grad_mode, recorder.inference_mode)
    machine.stack.append(frame)
    entered = [modes.enter_named(machine, mode) for mode in function.modes]
    generator = isinstance(definition, ir.FunctionDef) and definition.is_generator
    frame.yielded = [] if generator else None
    result: Value = NONE
    try:
        if isinstance(definition, ir.Lambda):
            machine.at(definition.body.place, frame)
            if function.site is not None and function.site.file == frame.file:
                recorder.site = function.site
            result = machine.evaluate(definition.body, frame)
        else:
            machine.execute(definition.body, frame)
    except Return as returned:
        result = returned.value
    finally:
        for mode in reversed(entered):
            modes.leave(machine, mode)
        machine.stack.pop()
        recorder.site, recorder.inside = site, inside
        if function.modes:
            recorder.grad_mode, recorder.inference_mode = before
    result = Items("generator", frame.yielded or []) if generator else result
    if model is None and is_outermost(machine) and not _is_driven(machine):
        graphs.judge(machine, result)
    return result


def _describe_library_call(function: Function, model: ModuleText) -> str:
    """Return what messages say of a library function that is executed by its model: its name and what it is for."""
    if function.name == "<lambda>":
        return ""
    name = f"{function.owner.name}.{function.name}" if function.owner else function.name
    return models.describe(model, name)


def is_outermost(machine: Machine) -> bool:
    """Whether no function of the user's is active: what a library's model calls back is as if the program called it."""
    for frame in reversed(machine.stack):  # noqa: SIM110 - asked at every call, and mostly answered by the first
        if (frame.module or frame).model is None:
            return False
    return True


def _is_driven(machine: Machine) -> bool:
    """Whether a framework calls, whose model says what becomes of results: nobody else is taken to walk them."""
    return any(frame.running is not None and frame.running.kind == DRIVER for frame in machine.stack)


def bind_parameters(
    machine: Machine, function: Function, frame: Frame, arguments: Sequence[Value], keywords: dict[str, Value]
) -> bool:
    """Bind arguments to the parameters of a function; False where they do not fit.

    Those of a user's function do, for the program runs: what the recorder does not know to be given is unknown.
    """
    parameters = function.definition.parameters
    values = bind_plainly(parameters, arguments, keywords)
    if values is None:
        binding = bind(parameters, arguments, keywords)
        if not binding.fits:
            if function.frame.globals().model is not None:
                return False
            if binding.surplus:
                machine.unknown_call(function.name, [*arguments, *keywords.values()])
        values = binding.values
    frame.names.update(values)
    if len(values) < len(parameters):
        for parameter in parameters:
            name = parameter.name
            if name not in values:
                frame.names[name] = function.defaults[name] if name in function.defaults else Unknown(name)
    return True
