"""Model `functools.singledispatch`: one function of several, chosen by the type of an argument."""

from __future__ import annotations

from inplace_lsp.interpret.machine.intrinsics import intrinsic, make_native
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.classes import is_instance_of
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
def _dispatch_function(machine: Machine, func: Value) -> Value:
    return _set_dispatch(func, 0)


@intrinsic("functools.singledispatchmethod(func)")
def _dispatch_method(machine: Machine, func: Value) -> Value:
    return _set_dispatch(func, 1)


def _set_dispatch(function: Value, position: int) -> Value:
    """Make the function choose by the argument at `position`."""
    if isinstance(function, Function):
        function.dispatch = Dispatch(position)
    return function


def make_register(machine: Machine, dispatch: Dispatch) -> Native:
    """Return `function.register`: it takes a type, a type and a function, or a function annotated with the type."""

    def register_variant(cls: Value, func: Value) -> Value:
        if not is_none(func):
            return add_variant(func, cls)
        if isinstance(cls, Function):
            return add_variant(cls, _read_annotation(machine, cls, dispatch.position))
        return make_native(machine, "decorator(func)", lambda func: add_variant(func, cls))

    def add_variant(function: Value, kind: Value) -> Value:
        if isinstance(function, Function):
            dispatch.variants.append((kind, function))
        return function

    return make_native(machine, "register(cls, func=None)", register_variant)


def _read_annotation(machine: Machine, function: Value, position: int) -> Value:
    """Return the type in the annotation of the parameter at `position`."""
    if not isinstance(function, Function):
        return Unknown("a type")
    machine.looked_into.add(id(function.definition))
    parameters = function.definition.parameters
    annotation = parameters[position].annotation if position < len(parameters) else None
    if annotation is None:
        return Unknown("a type")
    return machine.evaluate(annotation, function.frame)


def choose_variant(machine: Machine, function: Function, dispatch: Dispatch, arguments: list[Value]) -> Function:
    """Return the function for the nearest type; if the type is not known, any that fits."""
    value = arguments[dispatch.position] if dispatch.position < len(arguments) else NONE
    answers = [(is_instance_of(value, kind), kind, variant) for kind, variant in reversed(dispatch.variants)]
    fitting = sorted((_measure_distance(value, kind), at) for at, (answer, kind, _) in enumerate(answers) if answer)
    if fitting:
        return answers[fitting[0][1]][2]
    possible = [variant for answer, _, variant in answers if answer is None]
    return possible[machine.choices.choose_option(len(possible))] if possible else function


def _measure_distance(value: Value, kind: Value) -> int:
    """Return how far up the lineage of `value` the type is."""
    lineage = value.cls.list_lineage() if isinstance(value, Instance) else ()
    return lineage.index(kind) if isinstance(kind, Class) and kind in lineage else len(lineage)
