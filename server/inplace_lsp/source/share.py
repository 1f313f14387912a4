"""Two readings of a file compared: what is the same in both becomes the same object, so that identity means equality.

A comment, a docstring or white space at the end of a line is no difference. Places are one: the same text a row further
down in its unit is something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from inplace_lsp.source import ir

Body = tuple[ir.Statement, ...]


def shared(before: Iterable[ir.Statement], now: Body) -> Body:
    """`now`, a new reading, with every statement and method that was in `before` replaced by the former object."""
    former: dict[tuple[type, str], list[ir.Statement]] = {}
    for statement in before:
        former.setdefault(_key(statement), []).append(statement)
    return tuple(_shared(statement, former.get(_key(statement), [])) for statement in now)


def _shared(now: ir.Statement, former: list[ir.Statement]) -> ir.Statement:
    for at, before in enumerate(former):
        if same(before, now):
            return former.pop(at)
    if isinstance(now, ir.ClassDef) and former and isinstance(former[0], ir.ClassDef):
        return replace(now, body=shared(former[0].body, now.body))
    return now


def _key(statement: ir.Statement) -> tuple[type, str]:
    return type(statement), statement.name if isinstance(statement, ir.FunctionDef | ir.ClassDef) else ""


def same(before: object, now: object) -> bool:
    """Whether two pieces of IR are equal, places included."""
    if before is now:
        return True
    kind = type(before)
    if kind is not type(now):
        return False
    if isinstance(before, tuple):
        assert isinstance(now, tuple)
        return len(before) == len(now) and all(map(same, before, now))
    names = getattr(kind, "__slots__", None)
    if names is None:
        return before == now
    return all(same(getattr(before, name), getattr(now, name)) for name in names)


def same_but_bodies(before: Body, now: Body) -> bool:
    """Whether both bind the same names by the same code: they differ at most inside of functions.

    What is inside matters only to those who call the function, or look into it.
    """
    return len(before) == len(now) and all(map(_same_but_bodies, before, now))


def _same_but_bodies(before: ir.Statement, now: ir.Statement) -> bool:
    if before is now:
        return True
    if isinstance(before, ir.FunctionDef) and isinstance(now, ir.FunctionDef):
        return _same_header(before, now)
    if isinstance(before, ir.ClassDef) and isinstance(now, ir.ClassDef):
        heads = (
            (before.place, before.name, before.arguments, before.decorators),
            (now.place, now.name, now.arguments, now.decorators),
        )
        return same(*heads) and same_but_bodies(before.body, now.body)
    return same(before, now)


def _same_header(before: ir.FunctionDef, now: ir.FunctionDef) -> bool:
    """Whether executing both `def`s does the same: decorators and defaults are evaluated then, constants do nothing."""
    return same(
        (before.name, before.place, before.decorators, _evaluated(before)),
        (now.name, now.place, now.decorators, _evaluated(now)),
    )


def _evaluated(function: ir.FunctionDef) -> tuple[ir.Expr, ...]:
    defaults = (parameter.default for parameter in function.parameters)
    return tuple(one for one in defaults if one is not None and not isinstance(one, ir.Const))


def functions(body: Iterable[ir.Statement]) -> Iterator[ir.FunctionDef]:
    """The functions and methods that `same_but_bodies` looks into."""
    for statement in body:
        if isinstance(statement, ir.FunctionDef):
            yield statement
        elif isinstance(statement, ir.ClassDef):
            yield from functions(statement.body)


def classes(body: Iterable[ir.Statement], within: str = "") -> Iterator[tuple[ir.ClassDef, str]]:
    """The classes of a module with their dotted names; those in functions belong to the function."""
    for statement in body:
        if isinstance(statement, ir.ClassDef):
            yield statement, within + statement.name
            yield from classes(statement.body, f"{within}{statement.name}.")
