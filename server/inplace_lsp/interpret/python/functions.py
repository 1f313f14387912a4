"""Call functions whose body is known, the user's and those of models: bind the arguments and execute it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from inplace_lsp.interpret.autograd.route import Route
from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.limited_calls import call_within
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import NotFollowedError, Paused, Return
from inplace_lsp.interpret.python import dispatch, models
from inplace_lsp.interpret.state.facts import ModuleText, find_installed_name
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.signatures import bind_arguments, bind_simple_call
from inplace_lsp.interpret.state.values import (
    DRIVER,
    NONE,
    Container,
    Frame,
    Function,
    Instance,
    Items,
    Known,
    Mapping,
    Module,
    Suspended,
    Tensor,
    Unknown,
    Value,
    make_key,
)
from inplace_lsp.interpret.torch_api import modes
from inplace_lsp.source import ir
from inplace_lsp.uses.tensors import find_container_names, find_surely_tensors, is_called_tensor

DEPTH = 24
"""The number of nested calls that are followed."""
RECURSION = 2
"""How often a function may be active at once in calls with the same key."""
DEEPEST = 8
"""How often it may be active at once for other objects, or with other numbers."""


def call_user(
    machine: Machine,
    function: Function,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str = "",
    on_yield: Callable[[Value], None] | None = None,
) -> Value:
    """Execute the body of `function` with these arguments; a generator waits for its loop or `with` (`on_yield`).

    Raises NotFollowedError for a generator whose body the budget or the depth forbids."""
    if function.dispatch is not None:
        function = dispatch.choose_variant(machine, function, function.dispatch, arguments)
    definition = function.definition
    if on_yield is None and isinstance(definition, ir.FunctionDef) and definition.is_generator:
        return _suspend_call(machine, function, arguments, keywords, text)
    if function.results is not None:
        known = function.results.get(_make_result_key(arguments, keywords))
        if known is not None:
            return known
    return _call_body(machine, function, arguments, keywords, text, on_yield)


def _suspend_call(
    machine: Machine, function: Function, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    """Return the generator that a call makes; an unknown value if the arguments do not fit a model's parameters."""
    parameters = function.definition.parameters
    is_modelled = function.frame.find_module_scope().model is not None
    if is_modelled and not bind_arguments(parameters, arguments, keywords).fits:
        return machine.unknown_call(text or function.name, [*arguments, *keywords.values()])
    return Suspended(function, arguments, keywords)


def _make_unfollowed_result(machine: Machine, function: Function, given: list[Value], text: str) -> Unknown:
    """Return the result of a call that is not executed."""
    unknown = machine.unknown_call(text or function.name, given, _find_library_name(function))
    unknown.may_cut = function.owner is None
    return unknown


def _call_body(
    machine: Machine,
    function: Function,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str,
    on_yield: Callable[[Value], None] | None,
) -> Value:
    """Execute the body of `function` in a new frame; return an unknown value if the budget or the depth forbids it."""
    scope = function.frame.find_module_scope()
    call_key = _find_key_to_follow(machine, function, arguments, scope)
    if call_key is None:
        unknown = _make_unfollowed_result(machine, function, [*arguments, *keywords.values()], text)
        if on_yield is not None:
            raise NotFollowedError(unknown)
        return unknown
    _note_function(machine, function, scope, [*arguments, *keywords.values()])
    frame = _make_call_frame(machine, function, scope)
    frame.call_key, frame.on_yield = call_key, on_yield
    if not bind_parameters(machine, function, frame, arguments, keywords):
        return machine.unknown_call(text or function.name, [*arguments, *keywords.values()])
    frame.self = arguments[0] if function.owner is not None and arguments else function.frame.self
    if scope.third_party and scope.other_module and not _is_bounded(machine):
        result = _run_package_call(machine, function, frame, scope, [*arguments, *keywords.values()], text)
    else:
        result = _run_call(machine, function, frame, scope)
    if function.results is not None:
        function.results[_make_result_key(arguments, keywords)] = result
    return result


def _find_key_to_follow(
    machine: Machine, function: Function, arguments: list[Value], scope: Frame
) -> tuple[object, ...] | None:
    """Return the key of a call whose body is to be executed; None if the budget or the depth forbids it."""
    stack = machine.stack
    if (scope.other_module and machine.is_spent(scope)) or len(stack) >= DEPTH:
        return None
    active = [frame for frame in stack if frame.running is function] if stack else ()
    if not active:
        return ()
    call_key = _find_call_key(arguments, active[0].newest)
    return None if _is_deep(active, call_key) else call_key


def _note_function(machine: Machine, function: Function, scope: Frame, given: list[Value]) -> None:
    """Note that the run depends on a function, and what a framework's function drives."""
    if scope.model is None:
        machine.called.add(id(function.definition))
    if function.kind == DRIVER:
        _note_driven(machine, given)
    scope.asked.add(function.owner.name if function.owner else function.name)


def _make_call_frame(machine: Machine, function: Function, scope: Frame) -> Frame:
    """Return the frame in which a function's body runs, without its parameters."""
    outer = function.frame
    around = _find_enclosing_scope(outer)
    frame = Frame(outer.file, outer.row, function.name, parent=around, module=scope, owner=function.owner)
    frame.running, frame.newest = function, machine.recorder.newest
    return frame


_ANSWERS = frozenset({"AttributeError", "IndexError", "KeyError", "StopIteration", "StopAsyncIteration", "SystemExit"})
"""The exceptions by which a function answers, or ends the program, on purpose."""


def _is_bounded(machine: Machine) -> bool:
    """Return whether the steps are counted already for a call into a package, or for a decorator."""
    if machine.decorating:
        return True
    scope = machine.stack[-1].find_module_scope() if machine.stack else None
    return scope is not None and scope.third_party and scope.other_module


def _run_package_call(
    machine: Machine, function: Function, frame: Frame, scope: Frame, given: Sequence[Value], text: str
) -> Value:
    """Run a function of an installed package. If it takes more than half of the remaining steps, or raises because of
    something unseen (a file, a table that is filled elsewhere), its result is unknown, as if the package were not
    installed, and the program continues."""
    found = call_within(machine, machine.steps // 2, lambda: _run_call(machine, function, frame, scope), _ANSWERS)
    if found is not None:
        return found
    return machine.unknown_call(text or function.name, given, _find_library_name(function))


def _run_call(machine: Machine, function: Function, frame: Frame, scope: Frame) -> Value:
    """Run a body whose parameters are bound, with the call recorded and the decisions of this path."""
    recorder, choices = machine.recorder, machine.choices
    route = recorder.route
    if scope.model is None:  # a library's effects count as those of the user's statement
        _note_call(machine, function, frame)
    if scope.other_module and (scope.third_party or not machine.runs_program):
        machine.choices = Choices()  # only the judged file is explored along several paths
    try:
        return run_body(machine, function, frame, function.definition)
    except Paused as paused:
        paused.add_around(partial(_resume_body, machine, frame))
        raise
    finally:
        recorder.route, machine.choices = route, choices


def _resume_body(machine: Machine, frame: Frame, rest: Callable[[], None]) -> None:
    """Run the rest of a function's body after a `yield`, as a call of its own."""
    recorder = machine.recorder
    site, inside, route = recorder.site, recorder.inside, recorder.route
    frame.on_yield = lambda value: None
    if frame.running is not None and frame.find_module_scope().model is None:
        recorder.inside = ""
        _note_call(machine, frame.running, frame)
    machine.stack.append(frame)
    try:
        rest()
    except Return:
        pass
    finally:
        machine.stack.pop()
        recorder.site, recorder.inside, recorder.route = site, inside, route


def _note_driven(machine: Machine, given: list[Value]) -> None:
    """Record the classes of the objects that a framework is given: it calls them in its own order."""
    classes = [value.cls for value in given if isinstance(value, Instance)]
    machine.driven.update(ancestor.name for cls in classes for ancestor in cls.list_lineage())


def _note_call(machine: Machine, function: Function, frame: Frame) -> None:
    """Record the call that runs `function` in `frame` on the route to its statements."""
    recorder = machine.recorder
    site, route = recorder.site, recorder.route
    calls = (*route.calls, site)
    if is_outermost(machine):  # `main()` in the file itself is not worth recording
        outermost = site if function.frame.file != site.file else None
        recorder.route = Route(outermost, (), calls, frame.self)
    else:
        recorder.route = Route(route.outermost or site, (*route.through, function.name), calls, frame.self)


def _find_library_name(function: Function) -> str:
    """Return the dotted name of an installed package's function; "" of any other."""
    package = find_installed_name(function.frame.file) if function.frame.find_module_scope().model is None else ""
    names = (package, function.owner.name if function.owner else "", function.name)
    return ".".join(name for name in names if name) if package else ""


def _find_call_key(arguments: list[Value], newest: int) -> tuple[object, ...]:
    """Return what tells one active call from another: objects, numbers, texts, and tensors made before the first."""
    constants = (
        argument.value
        for argument in arguments
        if isinstance(argument, Known) and isinstance(argument.value, (int, float, str))
    )
    objects = (
        id(argument)
        for argument in arguments
        if isinstance(argument, _OBJECTS) or (isinstance(argument, Tensor) and argument.id <= newest)
    )
    return (*objects, *constants)


_OBJECTS = (Instance, Module, Container, Items, Mapping)


def _is_deep(active: Sequence[Frame], call_key: tuple[object, ...]) -> bool:
    """Return whether a function is active as often as allowed, in the frames `active`."""
    same = not call_key or any(frame.call_key == call_key for frame in active)
    return len(active) >= (RECURSION if same else DEEPEST)


def _make_result_key(arguments: list[Value], keywords: dict[str, Value]) -> object:
    """Return the key under which a caching function stores the result of this call."""
    return (*map(make_key, arguments), *((name, make_key(value)) for name, value in sorted(keywords.items())))


def _find_enclosing_scope(frame: Frame) -> Frame | None:
    """Return the scope a function defined in `frame` closes over: never a class body or a module."""
    while frame.owner is not None and frame.function == "<class>" and frame.parent is not None:
        frame = frame.parent
    return frame if frame.module is not None else None


def run_body(machine: Machine, function: Function, frame: Frame, definition: ir.FunctionDef | ir.Lambda) -> Value:
    """Execute a function's body in a frame with bound parameters, then restore the recorder's site and modes."""
    recorder = machine.recorder
    site, inside = recorder.site, recorder.inside
    model = (frame.module or frame).model
    recorder.inside = "" if model is None else inside or _describe_library_call(function, model)
    before = (recorder.grad_mode, recorder.inference_mode)
    machine.stack.append(frame)
    entered = [modes.enter_mode_of_decorator(machine, mode) for mode in function.modes]
    generator = isinstance(definition, ir.FunctionDef) and definition.is_generator
    frame.yielded = [] if generator else None
    result: Value = NONE
    try:
        if isinstance(definition, ir.Lambda):
            result = _evaluate_lambda_body(machine, function, frame, definition)
        else:
            around = function.around if recorder.grad_mode else ()
            with recorder.guards.run_inside(), recorder.scopes.run_inside(*around):
                machine.execute(definition.body, frame)
    except Return as returned:
        result = returned.value
        if model is None:
            recorder.last_return = function.name, recorder.site
    finally:
        for mode in reversed(entered):
            modes.leave_context(machine, mode)
        machine.stack.pop()
        recorder.site, recorder.inside = site, inside
        if function.modes:
            recorder.grad_mode, recorder.inference_mode = before
    result = Items("generator", frame.yielded or []) if generator else result
    if model is None and is_outermost(machine) and not _is_driven(machine):
        graphs.walk_returned_graphs(machine, result)
    return result


def _evaluate_lambda_body(machine: Machine, function: Function, frame: Frame, definition: ir.Lambda) -> Value:
    machine.reach_place(definition.body.place, frame)
    if function.site is not None and function.site.file == frame.file:
        machine.recorder.site = function.site
    return machine.evaluate(definition.body, frame)


def _describe_library_call(function: Function, model: ModuleText) -> str:
    """Return the name and the purpose of a modelled library function, as messages show them."""
    if function.name == "<lambda>":
        return ""
    name = f"{function.owner.name}.{function.name}" if function.owner else function.name
    return models.describe_function(model, name)


def is_outermost(machine: Machine) -> bool:
    """Return whether no function of the user's is active. Callbacks from a library's model count as called by the
    program."""
    for frame in reversed(machine.stack):  # noqa: SIM110 - asked at every call, and mostly answered by the first
        if (frame.module or frame).model is None:
            return False
    return True


def _is_driven(machine: Machine) -> bool:
    """Return whether a framework's model is active: it says itself which results are walked."""
    return any(frame.running is not None and frame.running.kind == DRIVER for frame in machine.stack)


def _take_for_tensors(definition: ir.FunctionDef | ir.Lambda, values: dict[str, Value]) -> None:
    """Take unknown arguments for tensors that the annotations of a function, or its body, say are some."""
    for parameter in definition.parameters:
        value = values.get(parameter.name)
        if type(value) is not Unknown or value.tensorlike or value.tensor is not None or value.module is not None:
            continue
        if is_called_tensor(parameter.annotation) or parameter.name in find_surely_tensors(definition):
            value.tensorlike = True


def _take_for_containers(definition: ir.FunctionDef | ir.Lambda, values: dict[str, Value]) -> None:
    """Take what was only guessed to be a tensor for none if it is given to a parameter that is used as a container."""
    guessed = [
        (name, value)
        for name, value in values.items()
        if type(value) is Unknown and value.tensorlike and value.tensor is None
    ]
    if not guessed:
        return
    containers = find_container_names(definition)
    for name, value in guessed:
        value.tensorlike = name not in containers


def bind_parameters(
    machine: Machine, function: Function, frame: Frame, arguments: Sequence[Value], keywords: dict[str, Value]
) -> bool:
    """Bind arguments to the parameters of a function. Return False if they do not fit a model's.

    Those of a user's function fit, for the program runs: parameters without a known argument are unknown.
    """
    parameters = function.definition.parameters
    values = bind_simple_call(parameters, arguments, keywords)
    if values is None:
        binding = bind_arguments(parameters, arguments, keywords)
        if not binding.fits:
            if function.frame.find_module_scope().model is not None:
                return False
            if binding.surplus:
                machine.unknown_call(function.name, [*arguments, *keywords.values()])
        values = binding.values
    frame.names.update(values)
    _take_for_containers(function.definition, values)
    if Unknown in map(type, values.values()) and function.frame.find_module_scope().model is None:
        _take_for_tensors(function.definition, values)
    if len(values) < len(parameters):
        for parameter in parameters:
            name = parameter.name
            if name not in values:
                frame.names[name] = function.defaults[name] if name in function.defaults else Unknown(name)
    return True
