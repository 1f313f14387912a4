"""Execute `def` and `class`."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import OTHER_MODULE_STEPS, Machine, OutOfBudgetError
from inplace_lsp.interpret.python import models
from inplace_lsp.interpret.python.descriptions import describe_expression
from inplace_lsp.interpret.python.expressions import evaluate_defaults
from inplace_lsp.interpret.python.standard_library import DECORATORS
from inplace_lsp.interpret.state.values import (
    Bound,
    Class,
    Frame,
    Function,
    Instance,
    Items,
    Known,
    Library,
    Mode,
    Native,
    Suspended,
    Value,
)
from inplace_lsp.interpret.torch_api import modes
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
DECORATOR_STEPS = 200
"""Steps that a decorator of another module may take: one that wraps or registers takes few, one that writes
documentation takes thousands and gives back what it was given."""
WRAPPED = "__wrapped__"
"""The attribute in which what a decorator made of a class keeps the class."""
_OF_PROPERTIES = {"setter": "setter", "deleter": "deleter", "getter": "property"}
"""The decorators that a property has, each with the kind of function that it makes."""
_APPLIED = ("torch.", "inplace_lsp.")
"""Libraries whose decorators are called; other libraries' decorators return the function as it is, unless listed
elsewhere."""

_ABSTRACT = ("Mapping", "MutableMapping", "MutableSequence")
_MODELS_OF_BASES = {
    "builtins.list": "collections._List",
    "builtins.dict": "collections._Dict",
    "typing.TypedDict": "collections._TypedDict",
    **{f"{module}.{name}": f"collections._{name}" for module in ("collections.abc", "typing") for name in _ABSTRACT},
}
"""The models of what classes inherit from builtins and from abstract containers."""


def define_function(machine: Machine, node: ir.FunctionDef, frame: Frame) -> None:
    """Apply a function's decorators and bind its name."""
    value: Value = make_function(machine, node, frame)
    for decorator in reversed(node.decorators):
        value = _decorate_function(machine, decorator, value, frame)
    if isinstance(value, Function) and value.kind in ("setter", "deleter"):
        frame.names[f"{node.name}.{value.kind}"] = value
        return
    frame.bind_name(node.name, value)


def make_function(machine: Machine, node: ir.FunctionDef, frame: Frame) -> Function:
    """Return the undecorated function."""
    return Function(node.name, node, frame, evaluate_defaults(machine, node.parameters, frame), frame.owner)


def _decorate_function(machine: Machine, decorator: ir.Expr, value: Value, frame: Frame) -> Value:
    """Apply a decorator. An unknown one is assumed to return a function that behaves like its argument."""
    if isinstance(decorator, ir.Attribute) and decorator.name in _OF_PROPERTIES:
        if isinstance(value, Function):
            value.kind = _OF_PROPERTIES[decorator.name]
        return value
    applied = machine.evaluate(decorator, frame)
    if isinstance(applied, Library) and applied.name in _KINDS and isinstance(value, Function):
        value.kind = _KINDS[applied.name]
        return value
    if not _is_called(applied):
        if modes.is_assumed_to_record(machine, applied):
            _note_around(value, decorator)
        return value
    result = _apply_decorator(machine, applied, value, decorator)
    return result if isinstance(result, (Function, Native, Bound)) or _stands_for_function(result) else value


def _note_around(value: Value, decorator: ir.Expr) -> None:
    """Record that the function runs in a decorator of which it is not known what it does."""
    if isinstance(value, Function):
        value.around = (*value.around, f"`@{describe_expression(decorator) or '...'}`")


def _stands_for_function(value: Value) -> bool:
    """Return whether the value is an object of a class that says what a call of it does, or what a method is then."""
    return isinstance(value, Instance) and any(
        isinstance(value.cls.look_up(name), Function) for name in ("__call__", "__get__")
    )


def _apply_decorator(machine: Machine, applied: Value, value: Value, decorator: ir.Expr) -> Value:
    """Call a decorator. Names that it looks up in order to register the definition are not searched elsewhere."""
    machine.decorating += 1
    try:
        return _call_decorator(machine, applied, value, decorator)
    finally:
        machine.decorating -= 1


def _call_decorator(machine: Machine, applied: Value, value: Value, decorator: ir.Expr) -> Value:
    """Call a decorator. One of another module that takes many steps returns what it was given, and has used up what a
    function may execute of other modules."""
    text = describe_expression(decorator)
    if isinstance(applied, Suspended):
        return _decorate_with_context(machine, applied, value, text)
    if not isinstance(applied, Function) or not applied.frame.find_module_scope().other_module:
        return machine.call(applied, [value], {}, text)
    left = machine.steps
    machine.steps = allowed = min(left, DECORATOR_STEPS)
    try:
        return machine.call(applied, [value], {}, text)
    except OutOfBudgetError:
        if allowed == left:
            raise
        machine.spend_on_module(applied.frame.find_module_scope(), OTHER_MODULE_STEPS)
        _note_around(value, decorator)
        return value
    finally:
        machine.steps += left - allowed


def _decorate_with_context(machine: Machine, context: Suspended, value: Value, text: str) -> Value:
    """Let the function run in the context of a `@contextmanager`, a new one for each call."""

    def make_context(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        return Suspended(context.function, context.arguments, context.keywords)

    decorate = models.find_in_model(machine, "contextlib._decorate")
    made = machine.call(decorate, [Native(make_context, "context"), value], {}, text) if decorate is not None else value
    if isinstance(made, Function) and isinstance(value, Function):
        made.attributes[WRAPPED] = value
    return made


def _is_called(decorator: Value) -> bool:
    """Return whether a decorator is called, since its result may differ from the function."""
    if isinstance(decorator, Library):
        return decorator.name.startswith(_APPLIED) or decorator.name in DECORATORS
    if isinstance(decorator, Suspended):
        return decorator.function.kind == "contextmanager"
    return isinstance(decorator, (Function, Mode, Bound, Native, Class)) or _stands_for_function(decorator)


def define_class(machine: Machine, node: ir.ClassDef, frame: Frame) -> None:
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
            bases += _find_model_of(machine, base.name)
        else:
            names.append(f"?.{describe_expression(argument.value)}")
    made = Class(node.name, tuple(bases), tuple(names), {}, node, _find_metaclass(machine, node, frame))
    body = Frame(
        frame.file, frame.row, "<class>", made.members, parent=frame, module=frame.find_module_scope(), owner=made
    )
    machine.execute(node.body, body)
    _name_descriptors(machine, made)
    _call_init_subclass(machine, made, node, frame)
    _make_enum_members(made)
    _record_fields(made, node)
    bound: Value = made
    for decorator in reversed(node.decorators):
        bound = _decorate_class(machine, decorator, bound, frame)
    if isinstance(bound, (Function, Instance)):
        bound.attributes.setdefault(WRAPPED, made)
    frame.bind_name(node.name, bound)


def _find_model_of(machine: Machine, base: str) -> list[Class]:
    """Return the class of a model that does what a builtin base does, if there is one."""
    found = models.find_in_model(machine, _MODELS_OF_BASES[base]) if base in _MODELS_OF_BASES else None
    return [found] if isinstance(found, Class) else []


def _find_metaclass(machine: Machine, node: ir.ClassDef, frame: Frame) -> Class | None:
    """Return the user's class that a class names as its metaclass."""
    named = next((argument.value for argument in node.arguments if argument.name == "metaclass"), None)
    found = machine.evaluate(named, frame) if named is not None else None
    return found if isinstance(found, Class) else None


def _call_init_subclass(machine: Machine, made: Class, node: ir.ClassDef, frame: Frame) -> None:
    """Call the inherited `__init_subclass__`: it may register the class."""
    hook = next((found for base in made.bases if (found := base.look_up("__init_subclass__")) is not None), None)
    if isinstance(hook, Function):
        named = {argument.name: machine.evaluate(argument.value, frame) for argument in node.arguments if argument.name}
        machine.call(Bound(made, hook), [], {name: value for name, value in named.items() if name != "metaclass"})


def _decorate_class(machine: Machine, decorator: ir.Expr, made: Value, frame: Frame) -> Value:
    """Apply a decorator of the user's, which may register the class, add members to it or return what makes its
    objects; or a grad mode, in which objects are made then."""
    applied = machine.evaluate(decorator, frame)
    is_of_torch = isinstance(applied, Library) and applied.name.startswith(_APPLIED)
    if not is_of_torch and not isinstance(applied, (Function, Bound, Native, Class, Mode)):
        return made
    result = _apply_decorator(machine, applied, made, decorator)
    return result if isinstance(result, (Class, Function, Bound, Instance)) else made


def _make_enum_members(made: Class) -> None:
    """Make the members of an `Enum` with methods instances of it; for other enums their values suffice."""
    is_enum = any(name in ("enum.Enum", "enum.Flag") for name in made.library)
    constants = {name: member for name, member in made.members.items() if isinstance(member, Known) and name[0] != "_"}
    if is_enum and any(isinstance(member, Function) for member in made.members.values()):
        for name, value in constants.items():
            made.members[name] = Instance(made, {"name": Known(name), "value": value}, name=name)


def _name_descriptors(machine: Machine, made: Class) -> None:
    for name, member in list(made.members.items()):
        method = member.cls.look_up("__set_name__") if isinstance(member, Instance) else None
        if isinstance(method, Function):
            machine.call(Bound(member, method), [made, Known(name)], {})


def _record_fields(made: Class, node: ir.ClassDef) -> None:
    """Record the annotated names of the body in order: the fields of a dataclass or named tuple."""
    names = [s.target.id for s in node.body if isinstance(s, ir.Annotate) and isinstance(s.target, ir.Name)]
    inherited = [f for base in made.bases for f in _find_fields(base)]
    made.members["__annotated__"] = Items("list", [Known(n) for n in [*inherited, *names]])


def _find_fields(base: Class) -> list[str]:
    fields = base.look_up("__annotated__")
    return [str(f.value) for f in fields.items if isinstance(f, Known)] if isinstance(fields, Items) else []
