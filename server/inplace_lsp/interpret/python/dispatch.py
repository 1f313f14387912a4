"""`functools.singledispatch`: one function of several, by the type of an argument."""

from __future__ import annotations

from inplace_lsp.interpret.machine.machine import Handler, Machine
from inplace_lsp.interpret.python.builtins import is_a
from inplace_lsp.interpret.state.values import NONE, Class, Dispatch, Function, Instance, Native, Unknown, Value


def making(position: int) -> Handler:
    """`singledispatch(function)`, by the argument at `position`."""

    def make(machine: Machine, arguments: list[Value], keywords: dict[str, Value], text: str) -> Value:
        function = arguments[0] if arguments else NONE
        if isinstance(function, Function):
            function.dispatch = Dispatch(position)
        return function

    return make


def registering(machine: Machine, dispatch: Dispatch) -> Native:
    """`function.register`, with a type, with a type and a function, or with a function whose annotation is the type."""

    def register(arguments: list[Value], keywords: dict[str, Value]) -> Value:
        if len(arguments) == 1 and not isinstance(arguments[0], Function):
            return Native(lambda given, named: _registered(dispatch, arguments[0], given[0] if given else NONE))
        if len(arguments) == 1:
            return _registered(dispatch, _annotated(machine, arguments[0], dispatch.position), arguments[0])
        return _registered(dispatch, *arguments[:2]) if arguments else NONE

    return Native(register, "register")


def _registered(dispatch: Dispatch, kind: Value, function: Value) -> Value:
    if isinstance(function, Function):
        dispatch.variants.append((kind, function))
    return function


def _annotated(machine: Machine, function: Value, position: int) -> Value:
    """The type that the annotation of the parameter at `position` names."""
    parameters = function.definition.parameters if isinstance(function, Function) else ()
    annotation = parameters[position].annotation if position < len(parameters) else None
    if not isinstance(function, Function) or annotation is None:
        return Unknown("a type")
    return machine.evaluate(annotation, function.frame)


def chosen(machine: Machine, function: Function, dispatch: Dispatch, arguments: list[Value]) -> Function:
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
    lineage = value.cls.lineage() if isinstance(value, Instance) else []
    return lineage.index(kind) if isinstance(kind, Class) and kind in lineage else len(lineage)
