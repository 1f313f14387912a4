"""What a test framework prepares before it calls a test: the values of fixtures, and objects that were set up."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from inplace_lsp.interpret.machine.iteration import find_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.state.values import Bound, Function, Instance, Library, Suspended, Unknown, Value
from inplace_lsp.source import ir

MakeInput: TypeAlias = Callable[[Function, ir.Parameter], Value]
"""Makes the value of a parameter that no fixture gives."""
_SETTING_UP = ("setUp", "asyncSetUp", "setup_method")
"""The methods that are called on an object before each of its tests."""
_NESTED = 3
"""The number of fixtures that are made for each other."""


def is_test(function: Function) -> bool:
    """Return whether the function is a test, by its name."""
    return function.name.startswith("test")


def set_up_object(machine: Machine, made: Instance) -> None:
    """Call what is called before each test of an object, if its class holds tests."""
    if not any(name.startswith("test") for cls in made.cls.list_lineage() for name in cls.members):
        return
    for name in _SETTING_UP:
        method = made.cls.look_up(name)
        if isinstance(method, Function):
            given = [Unknown(parameter.name) for parameter in method.definition.parameters[1:]]
            machine.call(Bound(made, method), given, {})


def find_fixture_value(
    machine: Machine,
    function: Function,
    name: str,
    make_other: Callable[[Function, ir.Parameter], Value],
    depth: int = 0,
) -> Value | None:
    """Return the value of the fixture `name` for a test, or for another fixture; None if no fixture has that name.
    `make_other` makes the other parameters."""
    if depth >= _NESTED or not (is_test(function) or depth):
        return None
    fixture = function.frame.find_module_scope().look_up(name)
    if not isinstance(fixture, Function) or fixture is function or not _is_fixture(machine, fixture):
        return None
    given = [
        find_fixture_value(machine, fixture, parameter.name, make_other, depth + 1) or make_other(fixture, parameter)
        for parameter in fixture.definition.parameters
        if parameter.kind in ("normal", "positional")
    ]
    made = machine.call(fixture, given, {})
    if isinstance(made, Suspended) or _yields(fixture):
        return next(iter(find_elements(machine, made)), None)
    return made


def _yields(fixture: Function) -> bool:
    return isinstance(fixture.definition, ir.FunctionDef) and fixture.definition.is_generator


def _is_fixture(machine: Machine, function: Function) -> bool:
    """Return whether a decorator makes the function a fixture."""
    decorators = function.definition.decorators if isinstance(function.definition, ir.FunctionDef) else ()
    named = (node.function if isinstance(node, ir.Call) else node for node in decorators)
    found = (machine.evaluate(node, function.frame) for node in named)
    return any(isinstance(value, Library) and value.name.endswith(".fixture") for value in found)
