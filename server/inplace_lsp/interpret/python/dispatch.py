"""`functools.singledispatch`: one function of several, by the type of an argument."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic, make_native
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.classes import is_a
from inplace_lsp.interpret.state.values import (
    NONE,
    Class,
    Dispatch,
    Function,
    Instance,
    Native,
    Unknown,
    Value,
    is_none,
)


@intrinsic("functools.singledispatch(func)")
def _function(machine: Machine, func: Value) -> Value:
    return _set_dispatch(func, 0)


@intrinsic("functools.singledispatchmethod(func)")
def _method(machine: Machine, func: Value) -> Value:
    return _set_dispatch(func, 1)


def _set_dispatch(function: Value, position: int) -> Value:
    """Let the function choose by the argument at `position`."""
    if isinstance(function, Function):
        function.dispatch = Dispatch(position)
    return function


def make_register(machine: Machine, dispatch: Dispatch) -> Native:
    """`function.register`, with a type, with a type and a function, or with a function whose annotation is the type."""

    def register(cls: Value, func: Value) -> Value:
        if not is_none(func):
            return add(func, cls)
        if isinstance(cls, Function):
            return add(cls, _read_annotation(machine, cls, dispatch.position))
        return make_native(machine, "decorator(func)", lambda func: add(func, cls))

    def add(function: Value, kind: Value) -> Value:
        if isinstance(function, Function):
            dispatch.variants.append((kind, function))
        return function

    return make_native(machine, "register(cls, func=None)", register)


def _read_annotation(machine: Machine, function: Value, position: int) -> Value:
    """The type that the annotation of the parameter at `position` names."""
    if not isinstance(function, Function):
        return Unknown("a type")
    machine.looked_into.add(id(function.definition))
    parameters = function.definition.parameters
    annotation = parameters[position].annotation if position < len(parameters) else None
    if annotation is None:
        return Unknown("a type")
    return machine.evaluate(annotation, function.frame)


def choose(machine: Machine, function: Function, dispatch: Dispatch, arguments: list[Value]) -> Function:
    """The function that runs: that of the nearest type; where the type is not known, any that fits."""
    value = arguments[dispatch.position] if dispatch.position < len(arguments) else NONE
    answers = [(is_a(value, kind), kind, one) for kind, one in reversed(dispatch.variants)]
    fitting = sorted((_distance(value, kind), at) for at, (answer, kind, _) in enumerate(answers) if answer)
    if fitting:
        return answers[fitting[0][1]][2]
    possible = [one for answer, _, one in answers if answer is None]
    return possible[machine.choices.choose(len(possible))] if possible else function


def _distance(value: Value, kind: Value) -> int:
    """How far up in the classes of `value` that type is."""
    lineage = value.cls.lineage() if isinstance(value, Instance) else ()
    return lineage.index(kind) if isinstance(kind, Class) and kind in lineage else len(lineage)
