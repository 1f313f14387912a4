"""What must be true for a row to be reached: the `if`s around it, in terms of parameters.

`if self.inplace:` around a row wants the constructor's `inplace` otherwise than by default, if the default is False;
`if mask is not None:` wants `mask` given.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from inplace_lsp.verify.inputs.program import Definition, Parameter, Program, parameters


@dataclass(frozen=True, slots=True)
class Wanted:
    """Parameters whose default would not lead to the row."""

    arguments: frozenset[str] = frozenset()
    constructor: frozenset[str] = frozenset()


def wanted_by(program: Program, target: Definition, rows: tuple[int, ...]) -> Wanted:
    """The parameters with defaults that stand against reaching `rows`."""
    tests = [test for row in rows for test in _around(target.node.body, row)]
    tests += [(test, truth) for row in rows for test, truth in _made_if(program, target, row)]
    own = {p.name: p for p in parameters(target.node)}
    made = {p.name: p for p in (program.constructor(target.owner) or ())} if target.owner is not None else {}
    kept = _kept(program, target)
    arguments, constructor = set(), set()
    for test, truth in tests:
        for name, wants in _conditions(test, truth):
            if name in own and _against(own[name], wants):
                arguments.add(name)
            attribute = kept.get(name, name)
            if attribute in made and _against(made[attribute], wants):
                constructor.add(attribute)
    return Wanted(frozenset(arguments), frozenset(constructor))


def _around(body: list[ast.stmt], row: int) -> Iterator[tuple[ast.expr, bool]]:
    """The tests of the `if`s around a row, each with the outcome it needs."""
    for node in body:
        if not node.lineno <= row <= (node.end_lineno or node.lineno):
            continue
        for name in ("body", "orelse", "finalbody"):
            inner = getattr(node, name, [])
            if any(one.lineno <= row <= (one.end_lineno or one.lineno) for one in inner):
                if isinstance(node, (ast.If, ast.While)):
                    yield node.test, name == "body"
                yield from _around(inner, row)


def _made_if(program: Program, target: Definition, row: int) -> Iterator[tuple[ast.expr, bool]]:
    """What must be true in the constructor for the attributes that are used on the row to be there."""
    made = program.method(target.owner, "__init__") if target.owner is not None else None
    on_row = [one for one in ast.walk(target.node) if isinstance(one, ast.Attribute) and one.lineno == row]
    used = {one.attr for one in on_row if isinstance(one.value, ast.Name) and one.value.id == "self"}
    for node in ast.walk(made) if made is not None else ():
        match node:
            case ast.Assign(
                targets=[ast.Attribute(attr=attribute)], value=ast.IfExp(test=test, orelse=ast.Constant(value=None))
            ) if attribute in used:
                yield test, True


def _conditions(test: ast.expr, truth: bool) -> Iterator[tuple[str, bool]]:
    """Names (`x`, `self.x`) with whether they must be truthy (not None)."""
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=inner):
            yield from _conditions(inner, not truth)
        case ast.BoolOp(values=values):
            for value in values:
                yield from _conditions(value, truth)
        case ast.Call(args=[inner], keywords=[]):  # `exists(x)`
            yield from _conditions(inner, truth)
        case ast.Compare(left=left, ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
            yield from _conditions(left, truth)
        case ast.Compare(left=left, ops=[ast.Is()], comparators=[ast.Constant(value=None)]):
            yield from _conditions(left, not truth)
        case ast.Name(id=name):
            yield name, truth
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            yield f"self.{name}", truth


def _kept(program: Program, target: Definition) -> dict[str, str]:
    """`self.x` to the constructor's parameter that is kept there."""
    node = program.method(target.owner, "__init__") if target.owner is not None else None
    if node is None:
        return {}
    names = {p.name for p in parameters(node)}
    found = {}
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=[ast.Attribute(attr=attribute)], value=ast.Name(id=name)) if name in names:
                found[f"self.{attribute}"] = name
    return found


def _against(given: Parameter, wants: bool) -> bool:
    return isinstance(given.default, ast.Constant) and bool(given.default.value) != wants
