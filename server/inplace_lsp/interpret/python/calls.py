"""Calls: of the user's functions by executing their body, of everything else by what is known of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Return
from inplace_lsp.interpret.python import containers, dispatch, library
from inplace_lsp.interpret.python.standard_library import FIELD
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.values import (
    AS_IT_IS,
    NONE,
    Bound,
    Class,
    Container,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mapping,
    Mode,
    Module,
    Native,
    Optimizer,
    Suspended,
    Tensor,
    Unknown,
    Value,
    key_of,
)
from inplace_lsp.interpret.torch_api import (
    custom_function,
    hooks,
    inherited,
    modes,
    modules,
    optimizers,
    tensor_methods,
)
from inplace_lsp.source import ir

Keywords = dict[str, Value]

DEPTH = 24
"""Calls inside calls that are followed."""
RECURSION = 2
"""Times the same function may be active at once, where nothing tells one call from the next."""
DEEPEST = 8
"""Times it may be active at once for other objects, or with other numbers."""


def call(machine: Machine, function: Value, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    """Call `function`. An unknown callee makes its result unknown and nothing else."""
    machine.tick()
    if type(function) not in _CHANGES_NOTHING and function is not AS_IT_IS:
        machine.changes += 1
    how = _CALL.get(type(function))
    if how is None:
        return machine.unknown_call(text or "an unknown call", [*arguments, *keywords.values()])
    return how(machine, function, arguments, keywords, text)


_CHANGES_NOTHING = frozenset((Library, Mode))
"""What leaves all values as they are when it is called, or can be seen on those it is given (`lru_cache`)."""


def _library(machine: Machine, function: Library, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return library.call(machine, function.name, arguments, keywords, text)


def _module(
    machine: Machine, module: Module | Container, arguments: list[Value], keywords: Keywords, text: str
) -> Value:
    forward = partial(modules.forward, machine, module, text=text)
    return hooks.around(machine, module, arguments, keywords, forward)


def _object(machine: Machine, value: Instance, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return hooks.around(machine, value, arguments, keywords, partial(_instance, machine, value, text=text))


def _native(machine: Machine, function: Native, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    result: Value = function.call(arguments, keywords)
    return result


def _mode(machine: Machine, mode: Mode, arguments: list[Value], keywords: Keywords, text: str) -> Value:
    return modes.decorate(mode, arguments[0]) if arguments else NONE


def _bound(machine: Machine, bound: Bound, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
    owner, method = bound.self, bound.method
    if isinstance(method, Function):
        return call_user(machine, method, [owner, *arguments], keywords, text)
    if isinstance(owner, Tensor):
        return tensor_methods.call(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Optimizer):
        return optimizers.method(machine, owner, method, arguments, keywords)
    if isinstance(owner, Items | Mapping | Known):
        return containers.method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Module | Container | Instance):
        return modules.method(machine, owner, method, arguments, keywords, text)
    if isinstance(owner, Class) and method == "apply":
        return custom_function.apply(machine, owner, arguments, text)
    return machine.unknown_call(text or method, [*arguments, *keywords.values()])


def _instance(
    machine: Machine, value: Instance, arguments: list[Value], keywords: dict[str, Value], text: str
) -> Value:
    method = value.cls.lookup("__call__")
    if method is None and (value.cls.is_module() or value.cls.library):
        method = value.cls.lookup("forward")
    if isinstance(method, Function):
        return call_user(machine, method, [value, *arguments], keywords, text)
    if isinstance(value.base, Module | Container):
        return modules.forward(machine, value.base, arguments, keywords, text)
    return machine.unknown_call(text or f"{value.cls.name}()", [*arguments, *keywords.values()])


def instantiate(
    machine: Machine,
    cls: Class,
    arguments: list[Value],
    keywords: dict[str, Value],
    text: str,
    instance: Instance | None = None,
) -> Value:
    """An object of `cls` (or `instance`, a bare one), its `__init__` executed."""
    if custom_function.is_custom(cls):
        return machine.unknown(text or cls.name)
    member = _member_of_enum(cls, arguments) if instance is None else None
    if member is not None:
        return member
    instance = instance or Instance(cls)
    init = cls.lookup("__init__")
    if isinstance(init, Function):
        call_user(machine, init, [instance, *arguments], keywords, text)
    elif inherited.initialise(machine, instance, arguments, keywords) is NONE and instance.base is None:
        fields = cls.lookup("__annotated__")
        names = [str(f.value) for f in fields.items if isinstance(f, Known)] if isinstance(fields, Items) else []
        instance.attributes.update(zip(names, arguments, strict=False))
        instance.attributes.update(keywords)
        _fill_in(cls, instance, names)
        if "typing.NamedTuple" in cls.library:
            return Items("tuple", [instance.attributes.get(n, NONE) for n in names], fields=tuple(names), cls=cls)
        finish = cls.lookup("__post_init__")
        if isinstance(finish, Function):
            call_user(machine, finish, [instance], {}, text)
    return instance


def _member_of_enum(cls: Class, arguments: list[Value]) -> Instance | None:
    """`Kind("a")`: the member with that value."""
    wanted = arguments[0] if len(arguments) == 1 and "enum.Enum" in cls.library else None
    for member in cls.members.values() if isinstance(wanted, Known) else ():
        value = member.attributes.get("value") if isinstance(member, Instance) else None
        if isinstance(value, Known) and isinstance(wanted, Known) and value.value == wanted.value:
            return member if isinstance(member, Instance) else None
    return None


def _fill_in(cls: Class, instance: Instance, names: list[str]) -> None:
    """Make the defaults of a dataclass's fields that were not given: each object has its own."""
    for name in names:
        default = cls.lookup(name)
        if name not in instance.attributes and isinstance(default, Native) and default.name == FIELD:
            instance.attributes[name] = default.call([], {})


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
        function = dispatch.chosen(machine, function, function.dispatch, arguments)
    definition = function.definition
    if on_yield is None and isinstance(definition, ir.FunctionDef) and definition.is_generator:
        return Suspended(function, arguments, keywords)
    remembered = _key_of_call(arguments, keywords) if function.results is not None else None
    if function.results is not None and remembered in function.results:
        return function.results[remembered]
    abroad = function.frame.globals().abroad
    active = [frame.told_by for frame in machine.stack if frame.running is function]
    told_by = _told_by(arguments) if active else ()
    if (abroad and machine.abroad < 0) or len(machine.stack) >= DEPTH or _is_deep(active, told_by):
        return machine.unknown_call(text or function.name, [*arguments, *keywords.values()])
    machine.called.add(id(definition))
    outer = function.frame
    outer.globals().asked.add(function.owner.name if function.owner else function.name)
    frame = Frame(outer.file, outer.row, function.name, parent=_enclosing(outer), module=outer.globals())
    frame.running, frame.told_by = function, told_by
    frame.owner = function.owner
    frame.on_yield = on_yield
    bind_parameters(machine, function, frame, arguments, keywords)
    frame.self = arguments[0] if function.owner is not None and arguments else outer.self
    recorder = machine.recorder
    outermost = recorder.call
    if not machine.stack:  # `main()` at the end of the file says nothing, a call into another file does
        recorder.call = recorder.site if outer.file != recorder.site.file else None
    elif outermost is None:
        recorder.call = recorder.site
    choices = machine.choices
    if abroad:  # paths are for the file that is judged
        machine.choices = Choices()
    try:
        result = run_body(machine, function, frame, definition)
    finally:
        recorder.call, machine.choices = outermost, choices
    if function.results is not None:
        function.results[remembered] = result
    return result


def _told_by(arguments: list[Value]) -> tuple[object, ...]:
    """What tells a call of a function from another one: the objects it is about, and the numbers it is given."""
    numbers = (one.value for one in arguments if isinstance(one, Known) and isinstance(one.value, int | float))
    return (*(id(one) for one in arguments if isinstance(one, _OBJECTS)), *numbers)


_OBJECTS = (Instance, Module, Container, Items, Mapping)


def _is_deep(active: list[tuple[object, ...]], told_by: tuple[object, ...]) -> bool:
    """Whether a function is active as often as it may be; `active` is what tells those calls apart."""
    return len(active) >= (RECURSION if not told_by or told_by in active else DEEPEST)


def _key_of_call(arguments: list[Value], keywords: dict[str, Value]) -> object:
    return (*map(key_of, arguments), *((name, key_of(value)) for name, value in sorted(keywords.items())))


def _enclosing(frame: Frame) -> Frame | None:
    """The scope a function defined in `frame` closes over: class bodies and modules are none."""
    while frame.owner is not None and frame.function == "<class>" and frame.parent is not None:
        frame = frame.parent
    return frame if frame.module is not None else None


def run_body(machine: Machine, function: Function, frame: Frame, definition: ir.FunctionDef | ir.Lambda) -> Value:
    """Execute a function's body in a frame whose parameters are bound; the recorder's place and modes are restored."""
    recorder = machine.recorder
    site = recorder.site
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
        recorder.site = site
        if function.modes:
            recorder.grad_mode, recorder.inference_mode = before
    result = Items("generator", frame.yielded or []) if generator else result
    if not machine.stack:
        graphs.judge(machine, result)
    return result


def bind_parameters(
    machine: Machine, function: Function, frame: Frame, arguments: Sequence[Value], keywords: dict[str, Value]
) -> None:
    """Bind arguments to parameters by Python's rules; what is missing is unknown."""
    waiting = list(arguments)
    left = dict(keywords)
    for parameter in function.definition.parameters:
        name = parameter.name
        if parameter.kind == "vararg":
            frame.names[name] = Items("tuple", waiting)
            waiting = []
        elif parameter.kind == "kwarg":
            frame.names[name] = Mapping(dict(left))
            left = {}
        elif parameter.kind != "keyword" and waiting:
            frame.names[name] = waiting.pop(0)
        elif name in left:
            frame.names[name] = left.pop(name)
        elif name in function.defaults:
            frame.names[name] = function.defaults[name]
        else:
            frame.names[name] = Unknown(name)


_CALL: dict[type, Callable[[Machine, Any, list[Value], Keywords, str], Value]] = {
    Function: call_user,
    Bound: _bound,
    Library: _library,
    Class: instantiate,
    Module: _module,
    Container: _module,
    Instance: _object,
    Native: _native,
    Mode: _mode,
}
