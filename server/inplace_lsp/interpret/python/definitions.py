"""`def` and `class`."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.expressions import defaults_of, text_of
from inplace_lsp.interpret.python.standard_library import DECORATORS
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mode,
    Native,
    Value,
)
from inplace_lsp.source import ir

_KINDS = {
    "builtins.property": "property",
    "builtins.staticmethod": "staticmethod",
    "builtins.classmethod": "classmethod",
    "functools.cached_property": "cached_property",
    "contextlib.contextmanager": "contextmanager",
    "contextlib.asynccontextmanager": "contextmanager",
    "torch.jit.unused": "",
}
_APPLIED = ("torch.", "inplace_lsp.")
"""Libraries whose decorators are called; those of others leave functions as they are, unless it is known better."""


def function(machine: Machine, node: ir.FunctionDef, frame: Frame) -> None:
    """Bind the function's name; decorators applied."""
    value: Value = make(machine, node, frame)
    for decorator in reversed(node.decorators):
        value = _decorate(machine, decorator, value, frame)
    if isinstance(value, Function) and value.kind == "setter":
        frame.names[f"{node.name}.setter"] = value
        return
    frame.bind(node.name, value)


def make(machine: Machine, node: ir.FunctionDef, frame: Frame) -> Function:
    """The function itself, undecorated."""
    return Function(node.name, node, frame, defaults_of(machine, node.parameters, frame), frame.owner)


def _decorate(machine: Machine, decorator: ir.Expr, value: Value, frame: Frame) -> Value:
    """Apply a decorator. One that is not known is taken to return a function that behaves like the one it was given."""
    if isinstance(decorator, ir.Attribute) and decorator.name in ("setter", "deleter", "getter"):
        if isinstance(value, Function):
            value.kind = "setter"
        return value
    applied = machine.evaluate(decorator, frame)
    if isinstance(applied, Library) and applied.name in _KINDS and isinstance(value, Function):
        value.kind = _KINDS[applied.name]
        return value
    if isinstance(applied, Library) and not applied.name.startswith(_APPLIED) and applied.name not in DECORATORS:
        return value
    if not isinstance(applied, (Function, Mode, Library, Bound, Native)):
        return value
    result = machine.call(applied, [value], {}, text_of(decorator))
    return result if isinstance(result, (Function, Native, Bound)) else value


def cls(machine: Machine, node: ir.ClassDef, frame: Frame) -> None:
    """Execute the class body and bind the class."""
    bases, names = [], []
    for argument in node.arguments:
        if argument.name is not None:
            continue
        base = machine.evaluate(argument.value, frame)
        if isinstance(base, Class):
            bases.append(base)
        elif isinstance(base, Library):
            names.append(base.name)
        else:
            names.append(f"?.{text_of(argument.value)}")
    made = Class(node.name, tuple(bases), tuple(names), {}, node)
    body = Frame(frame.file, frame.row, "<class>", parent=frame, module=frame.globals(), owner=made)
    body.names = made.members
    machine.execute(node.body, body)
    _name_descriptors(machine, made)
    _tell_bases(machine, made, node, frame)
    _make_members(made)
    _record_fields(made, node)
    for decorator in reversed(node.decorators):
        made = _decorate_class(machine, decorator, made, frame)
    frame.bind(node.name, made)


def _tell_bases(machine: Machine, made: Class, node: ir.ClassDef, frame: Frame) -> None:
    """Call the `__init_subclass__` that the class inherits: it may note the class down."""
    hook = next((found for base in made.bases if (found := base.lookup("__init_subclass__")) is not None), None)
    if isinstance(hook, Function):
        named = {one.name: machine.evaluate(one.value, frame) for one in node.arguments if one.name}
        machine.call(Bound(made, hook), [], {name: value for name, value in named.items() if name != "metaclass"})


def _decorate_class(machine: Machine, decorator: ir.Expr, made: Class, frame: Frame) -> Class:
    """Apply a decorator of the user's, which may note the class down or put members into it."""
    applied = machine.evaluate(decorator, frame)
    if not isinstance(applied, (Function, Bound, Native)):
        return made
    result = machine.call(applied, [made], {}, text_of(decorator))
    return result if isinstance(result, Class) else made


def _make_members(made: Class) -> None:
    """The members of an `Enum` whose class has methods are objects of it; of others their values tell enough."""
    is_enum = any(name in ("enum.Enum", "enum.Flag") for name in made.library)
    constants = {name: one for name, one in made.members.items() if isinstance(one, Known) and name[0] != "_"}
    if is_enum and any(isinstance(one, Function) for one in made.members.values()):
        for name, value in constants.items():
            made.members[name] = Instance(made, {"name": Known(name), "value": value}, name=name)


def _name_descriptors(machine: Machine, made: Class) -> None:
    for name, member in list(made.members.items()):
        method = member.cls.lookup("__set_name__") if isinstance(member, Instance) else None
        if isinstance(method, Function):
            machine.call(Bound(member, method), [made, Known(name)], {})


def _record_fields(made: Class, node: ir.ClassDef) -> None:
    """The annotated names of the body in order: the fields of a dataclass or named tuple."""
    names = [s.target.id for s in node.body if isinstance(s, ir.Annotate) and isinstance(s.target, ir.Name)]
    inherited = [f for base in made.bases for f in _fields(base)]
    made.members["__annotated__"] = Items("list", [Known(n) for n in [*inherited, *names]])


def _fields(base: Class) -> list[str]:
    fields = base.lookup("__annotated__")
    return [str(f.value) for f in fields.items if isinstance(f, Known)] if isinstance(fields, Items) else []
