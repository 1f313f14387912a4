"""The objects that functions are judged with: `self` of a method, and the modules that annotations name."""

from __future__ import annotations

from functools import lru_cache

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.annotations import find_class_name
from inplace_lsp.interpret.entries.inputs import symbolic
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Raised
from inplace_lsp.interpret.python.assumed_modules import assume_class, assume_module
from inplace_lsp.interpret.python.inherited_parts import recognise_attributes
from inplace_lsp.interpret.python.instances import instantiate
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.signatures import OpenArguments
from inplace_lsp.interpret.state.values import Class, Function, Instance, Library, Unknown, UserModule, Value
from inplace_lsp.source import ir

_ANY_MODULE = frozenset(("torch.nn.Module", "torch.nn.modules.Module", "torch.nn.modules.module.Module"))
STEPS_TO_LOOK_UP = 20_000
"""Steps that the class which an annotation names may take to be defined; what has been defined is kept."""
_NESTED = 3
"""Objects that are made for the constructor of another: a model for its trainer."""


def make_object(machine: Machine, cls: Class, name: str, within: tuple[Class, ...] = ()) -> Value:
    """Return an object of the class, made with unknown arguments where its `__init__` has no defaults.

    `name` is what messages call it; `within` are the classes whose objects are being made, the outermost first.
    """
    init = cls.lookup("__init__")
    arguments = OpenArguments()  # a class without an `__init__` of its own, or one with `*args`, hands them on
    if isinstance(init, Function):
        machine.looked_into.add(id(init.definition))
        for parameter in init.definition.parameters[1:]:
            if parameter.kind in ("normal", "positional") and parameter.default is None:
                arguments.append(make_input(machine, init, parameter, frozenset(), (*within, cls)))
    made = Instance(cls, name=name)
    try:
        built = instantiate(machine, cls, arguments, {}, cls.name, made)
    except (TorchError, Raised, OutOfBudgetError):
        return made
    recognise_attributes(machine, made)
    return made if isinstance(built, Unknown) else built


def make_input(
    machine: Machine,
    function: Function,
    parameter: ir.Parameter,
    tensors: frozenset[str],
    within: tuple[Class, ...] = (),
) -> Value:
    """Return the value that a parameter is given when nobody in sight calls the function: an object of the module
    class that its annotation names, or what `symbolic` makes of it. `within` is as in `make_object`."""
    value = symbolic(machine, function, parameter, tensors)
    if not isinstance(value, Unknown) or parameter.annotation is None:
        return value
    annotated = _look_up(machine, parameter.annotation, function.frame)
    if isinstance(annotated, Library) and annotated.name in _ANY_MODULE:
        assume_module(machine, value)
    elif isinstance(annotated, Library):
        return assume_class(machine, annotated, parameter.name) or value
    if not isinstance(annotated, Class) or annotated in within or len(within) >= _NESTED:
        return value
    return make_object(machine, annotated, parameter.name, within) if _is_concrete(machine, annotated) else value


def _look_up(machine: Machine, annotation: ir.Expr, frame: Frame) -> Value | None:
    """Return what the only class that an annotation names is bound to; None if that is not in sight. What other files
    have to define for it is counted apart: the function itself has done nothing yet."""
    steps, abroad = machine.steps, machine.abroad
    machine.steps = STEPS_TO_LOOK_UP
    try:
        return _find_annotated(annotation, frame)
    except (OutOfBudgetError, Raised, TorchError):
        return None
    finally:
        machine.steps, machine.abroad = steps, abroad


def _find_annotated(annotation: ir.Expr, frame: Frame) -> Value | None:
    """Return what the only class that an annotation names is bound to; None if that is not in sight."""
    names = find_class_name(annotation)
    found = frame.lookup(names[0]) if names else None
    for name in names[1:]:
        if isinstance(found, Library):
            found = Library(f"{found.name}.{name}")
        elif isinstance(found, UserModule):
            found = found.frame.lookup(name)
        else:
            return None
    return found


def _is_concrete(machine: Machine, cls: Class) -> bool:
    """Whether a class is a module that may be called as it is: a base whose `forward` only raises stands for others."""
    forward = cls.lookup("forward")
    if not cls.is_module() or not isinstance(forward, Function):
        return False
    machine.looked_into.add(id(forward.definition))
    return not _only_raises(forward.definition)


@lru_cache(maxsize=1024)
def _only_raises(definition: ir.FunctionDef | ir.Lambda) -> bool:
    if not isinstance(definition, ir.FunctionDef):
        return False
    body = [
        one for one in definition.body if not (isinstance(one, ir.ExprStatement) and isinstance(one.value, ir.Const))
    ]
    return all(isinstance(one, ir.Raise) for one in body)
