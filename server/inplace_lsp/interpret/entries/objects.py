"""Make the objects that functions are judged with: `self` of a method, and the modules that annotations name."""

from __future__ import annotations

from contextlib import suppress
from functools import lru_cache

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.annotations import find_class_name
from inplace_lsp.interpret.entries.fixture_values import set_up_object
from inplace_lsp.interpret.entries.inputs import make_symbolic_input
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python.assumed_modules import assume_class, assume_module
from inplace_lsp.interpret.python.inherited_parts import recognise_attributes
from inplace_lsp.interpret.python.instances import make_instance
from inplace_lsp.interpret.state.signatures import OpenArguments
from inplace_lsp.interpret.state.values import (
    Class,
    Frame,
    Function,
    Instance,
    Library,
    Number,
    Unknown,
    UserModule,
    Value,
)
from inplace_lsp.interpret.torch_api.module_tree import name_tensors
from inplace_lsp.source import ir
from inplace_lsp.tape.names import OTHER_OPTIONS

_ANY_MODULE = frozenset(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"))
STEPS_TO_LOOK_UP = 20_000
"""Steps that defining the class in an annotation may take; finished definitions are kept."""
_NESTED = 3
"""The number of objects made for each other's constructors: a model for its trainer."""


def make_object(machine: Machine, cls: Class, name: str, within: tuple[Class, ...] = ()) -> Value:
    """Return an object of the class, made with symbolic arguments for the required parameters of its `__init__`, and
    for its options if the run `opens_defaults`.

    Messages call it `name`; `within` are the classes whose objects are being made, the outermost first.
    """
    arguments, options = _make_arguments(machine, cls, within)
    made = Instance(cls, name=name)
    try:
        built = make_instance(machine, cls, arguments, options, cls.name, made)
    except (TorchError, Raised, OutOfBudgetError):
        return made
    if not within and isinstance(built, Instance):
        _set_up(machine, built)
    recognise_attributes(machine, made)
    name_tensors(made, name)
    machine.recorder.contents.forget_copies()  # it may have been trained since it was made
    return made if isinstance(built, Unknown) else built


def _make_arguments(machine: Machine, cls: Class, within: tuple[Class, ...]) -> tuple[OpenArguments, dict[str, Value]]:
    """Return symbolic arguments for the constructor of a class, and options other than its defaults."""
    init = cls.look_up("__init__")
    arguments = OpenArguments()  # passed on by `*args`, or by a class without an `__init__`
    options: dict[str, Value] = {}
    if not isinstance(init, Function):
        return arguments, options
    machine.looked_into.add(id(init.definition))
    for parameter in init.definition.parameters[1:]:
        if parameter.kind in ("normal", "positional") and parameter.default is None:
            arguments.append(make_input(machine, init, parameter, frozenset(), (*within, cls)))
        elif machine.path.conditions.opens_defaults and not within and is_option(parameter):
            options[parameter.name] = _open_option(parameter.name, parameter.default)
            machine.path.assumed = (f"`{cls.name}` {OTHER_OPTIONS}",)
    return arguments, options


def _set_up(machine: Machine, made: Instance) -> None:
    """Set the object up as a test framework does, as far as that succeeds."""
    with suppress(TorchError, Raised, OutOfBudgetError):
        set_up_object(machine, made)


def is_option(parameter: ir.Parameter) -> bool:
    """Return whether a parameter switches something on or off, or chooses by a text: its default is a flag, None, 0 or
    a text."""
    default = parameter.default
    if not isinstance(default, ir.Const) or parameter.kind == "positional":
        return False
    return not default.value or isinstance(default.value, (bool, str))


def is_rate(parameter: ir.Parameter) -> bool:
    """Return whether a parameter is a number that is 0 unless a caller gives another one."""
    default = parameter.default
    return is_option(parameter) and isinstance(default, ir.Const) and type(default.value) in (int, float)


def _open_option(name: str, default: ir.Expr | None) -> Value:
    """Return the value of an option that most likely, but not certainly, has its default."""
    given = default.value if isinstance(default, ir.Const) else None
    if isinstance(given, str):
        return Unknown(name, names=(given,))
    if given is None or isinstance(given, bool):
        return Unknown(name, may_be_none=given is None, likely=bool(given))
    return Number(likely=False)


def make_input(
    machine: Machine,
    function: Function,
    parameter: ir.Parameter,
    tensors: frozenset[str],
    within: tuple[Class, ...] = (),
) -> Value:
    """Return a parameter's value in a function without visible callers.

    It is an object of the module class that its annotation names, or a symbolic input. `within` is as in `make_object`.
    """
    value = make_symbolic_input(machine, function, parameter, tensors)
    if not isinstance(value, Unknown) or parameter.annotation is None:
        return value
    annotated = _look_up(machine, parameter.annotation, function.frame)
    if isinstance(annotated, Library):
        if annotated.name not in _ANY_MODULE:
            return assume_class(machine, annotated, parameter.name) or value
        assume_module(machine, value)
    if not isinstance(annotated, Class) or annotated in within or len(within) >= _NESTED:
        return value
    return make_object(machine, annotated, parameter.name, within) if _is_concrete(machine, annotated) else value


def _look_up(machine: Machine, annotation: ir.Expr, frame: Frame) -> Value | None:
    """Return the value of the only class that an annotation names; None if it is not in sight.

    Steps that other modules take to define it do not count: the function itself has done nothing yet.
    """
    steps, of_others, of_libraries = machine.steps, machine.other_module_steps, machine.library_steps
    machine.steps = STEPS_TO_LOOK_UP
    try:
        return _find_annotated_class(annotation, frame)
    except (OutOfBudgetError, Raised, TorchError):
        return None
    finally:
        machine.steps, machine.other_module_steps, machine.library_steps = steps, of_others, of_libraries


def _find_annotated_class(annotation: ir.Expr, frame: Frame) -> Value | None:
    """Return the value of the only class that an annotation names; None if it is not in sight."""
    names = find_class_name(annotation)
    found = frame.look_up(names[0]) if names else None
    for name in names[1:]:
        if isinstance(found, Library):
            found = Library(f"{found.name}.{name}")
        elif isinstance(found, UserModule):
            found = found.frame.look_up(name)
        else:
            return None
    return found


def _is_concrete(machine: Machine, cls: Class) -> bool:
    """Return whether a class is a module that can be called: a base whose `forward` only raises is abstract."""
    forward = cls.look_up("forward")
    if not cls.is_module() or not isinstance(forward, Function):
        return False
    machine.looked_into.add(id(forward.definition))
    return not _only_raises(forward.definition)


@lru_cache(maxsize=1024)
def _only_raises(definition: ir.FunctionDef | ir.Lambda) -> bool:
    if not isinstance(definition, ir.FunctionDef):
        return False
    body = [
        statement
        for statement in definition.body
        if not (isinstance(statement, ir.ExprStatement) and isinstance(statement.value, ir.Const))
    ]
    return all(isinstance(statement, ir.Raise) for statement in body)
