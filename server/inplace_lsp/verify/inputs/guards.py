"""What must be true for a row to be reached: the `if`s around it, in terms of parameters.

`if self.inplace:` around a row wants the constructor's `inplace` otherwise than by default, if the default is False;
`if mask is not None:` wants `mask` given, `if mode == "shift":` that very text.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TypeVar

from inplace_lsp.verify.inputs import names
from inplace_lsp.verify.inputs.constructor_uses import find_kept_parameters
from inplace_lsp.verify.inputs.program import Definition, Parameter, Program, last_name, parameters_of

Needed = TypeVar("Needed")
_OPTION = "option "
"""What stands before the name of an option, which a configuration holds."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Parameters whose default would not lead to the row, and the values, as source, that some have to have, options of
    a command line among them."""

    arguments: frozenset[str] = frozenset()
    constructor: frozenset[str] = frozenset()
    options: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=dict)
    made_with: Mapping[str, str] = field(default_factory=dict)


def find_wanted(program: Program, target: Definition, rows: tuple[int, ...]) -> Wanted:
    """Return the parameters whose defaults prevent reaching `rows`."""
    tests = list(_find_tests(program, target, rows))
    options = _kept_options(program, target)
    own = _by_name(parameters_of(target.node))
    made = _by_name(program.constructor_parameters(target.owner) or ()) if target.owner is not None else {}
    kept = _kept_attributes(program, target)
    truths = [(options.get(name, name), wants) for test, truth in tests for name, wants in _truths_needed(test, truth)]
    told = {options.get(name, name): value for test, truth in tests for name, value in _constants_needed(test, truth)}
    given = {kept.get(name, name): value for name, value in told.items()}
    arguments = _with_other_default(own, truths)
    constructor = _with_other_default(made, [(kept.get(name, name), truth) for name, truth in truths])
    given_options = {
        **{name: str(wants) for name, wants in _options_of(truths) if _is_option_against(program, name, wants)},
        **dict(_options_of(told.items())),
    }
    made_with = _those_of(given, made.keys() - own.keys())
    return Wanted(arguments, constructor, given_options, _those_of(told, own), made_with)


def _find_tests(program: Program, target: Definition, rows: tuple[int, ...]) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the tests that decide whether rows are reached, each with the outcome it needs."""
    for row in rows:
        yield from _tests_around(target.node.body, row)
    for row in rows:
        yield from _tests_in_constructor(program, target, row)


def _by_name(taken: Iterable[Parameter]) -> dict[str, Parameter]:
    return {parameter.name: parameter for parameter in taken}


def _those_of(values: Mapping[str, str], wanted: Container[str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if name in wanted}


def _options_of(needed: Iterable[tuple[str, Needed]]) -> Iterator[tuple[str, Needed]]:
    """Yield the options among what is needed, by their own names."""
    for name, value in needed:
        if name.startswith(_OPTION):
            yield name.removeprefix(_OPTION), value


def _is_option_against(program: Program, name: str, wants: bool) -> bool:
    """Return whether an option has another truth by default than needed, or none that is known."""
    try:
        return bool(ast.literal_eval(program.options[name])) != wants
    except (KeyError, ValueError):
        return True


def _with_other_default(taken: Mapping[str, Parameter], truths: list[tuple[str, bool]]) -> frozenset[str]:
    """Return the parameters whose default has another truth than needed."""
    return frozenset(name for name, wants in truths if name in taken and _is_default_against(taken[name], wants))


def _tests_around(body: list[ast.stmt], row: int) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the tests of the `if`s around a row, each with the outcome it needs."""
    for node in body:
        if not node.lineno <= row <= (node.end_lineno or node.lineno):
            continue
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, [])
            if any(node.lineno <= row <= (node.end_lineno or node.lineno) for node in inner):
                if isinstance(node, (ast.If, ast.While)):
                    yield node.test, name == "body"
                yield from _tests_around(inner, row)


def _tests_in_constructor(program: Program, target: Definition, row: int) -> Iterator[tuple[ast.expr, bool]]:
    """Yield the tests in the constructor that must hold for the row's attributes to exist."""
    made = program.find_method(target.owner, "__init__") if target.owner is not None else None
    on_row = [child for child in ast.walk(target.node) if isinstance(child, ast.Attribute) and child.lineno == row]
    used = {name.attr for name in on_row if isinstance(name.value, ast.Name) and name.value.id == "self"}
    for node in ast.walk(made) if made is not None else ():
        match node:
            case ast.Assign(
                targets=[ast.Attribute(attr=attribute)], value=ast.IfExp(test=test, orelse=ast.Constant(value=None))
            ) if attribute in used:
                yield test, True


def _truths_needed(test: ast.expr, truth: bool) -> Iterator[tuple[str, bool]]:
    """Yield names (`x`, `self.x`) with whether they must be truthy (not None)."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _truths_needed(inner, not truth)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _truths_needed(value, truth)
        case ast.Call(args=[inner], keywords=[]):  # `exists(x)`
            yield from _truths_needed(inner, truth)
        case ast.Compare(left=left, ops=[ast.IsNot() | ast.NotEq()], comparators=[ast.Constant(value=None)]):
            yield from _truths_needed(left, truth)
        case ast.Compare(left=left, ops=[ast.Is() | ast.Eq()], comparators=[ast.Constant(value=None)]):
            yield from _truths_needed(left, not truth)
        case ast.Name(id=name):
            yield name, truth
        case ast.Attribute() if name := _name_of(test):
            yield name, truth


def _constants_needed(test: ast.expr, truth: bool) -> Iterator[tuple[str, str]]:
    """Yield names (`x`, `self.x`) with the constants, as source, that they must be."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _constants_needed(inner, not truth)
        case ast.BoolOp(op=op, values=parts):
            for part in parts[: None if isinstance(op, ast.And) is truth else 1]:
                yield from _constants_needed(part, truth)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq() as how], comparators=[ast.Constant(value=value)]):
            if isinstance(how, ast.Eq) is truth:
                yield from _name_with_value(left, value)
        case ast.Compare(left=left, ops=[ast.In()], comparators=[ast.Tuple() | ast.List() as several]) if truth:
            first = several.elts[0] if several.elts else None
            if isinstance(first, ast.Constant):
                yield from _name_with_value(left, first.value)


def _name_with_value(node: ast.expr, value: object) -> Iterator[tuple[str, str]]:
    name = _name_of(node)
    if name:
        yield name, repr(value)


def _name_of(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            return f"self.{name}"
        case ast.Attribute(value=holder, attr=name) if names.is_settings(last_name(holder) or ""):
            return f"{_OPTION}{name}"
    return ""


def _kept_attributes(program: Program, target: Definition) -> dict[str, str]:
    """Return the constructor's parameters by the attributes that keep them, as `self.x`."""
    made = program.find_method(target.owner, "__init__") if target.owner is not None else None
    kept = find_kept_parameters(made) if made is not None else {}
    return {f"self.{attribute}": name for attribute, name in kept.items()}


def _kept_options(program: Program, target: Definition) -> dict[str, str]:
    """Return the options by the attributes that the constructor or the target itself keeps them under, as `self.x`."""
    made = program.find_method(target.owner, "__init__") if target.owner is not None else None
    found = {}
    for node in (inner for function in (made, target.node) if function is not None for inner in ast.walk(function)):
        match node:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=kept)], value=ast.Attribute() as value
            ):
                option = _name_of(value)
                if option.startswith(_OPTION):
                    found[f"self.{kept}"] = option
    return found


def _is_default_against(given: Parameter, wants: bool) -> bool:
    return isinstance(given.default, ast.Constant) and bool(given.default.value) != wants
