"""Share equal statements between two readings of a file, so that equal statements are identical objects.

Comments, docstrings and trailing white space do not count. Places do: the same text one row further down in its unit is
different.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from inplace_lsp.source import ir

Body = tuple[ir.Statement, ...]


Former = dict[tuple[type, str], list[ir.Statement]]
"""The statements of a former reading by their kinds and names."""


def index_statements(statements: Iterable[ir.Statement]) -> Former:
    """Index the statements of a former reading, to look up those of a new one."""
    former: Former = {}
    for statement in statements:
        former.setdefault(_statement_key(statement), []).append(statement)
    return former


def share_statements(former: Former, now: Body) -> Body:
    """Return the new reading `now` with the former objects in place of equal statements and methods. Each former object
    is used once."""
    return tuple(_share_statement(statement, former.get(_statement_key(statement), [])) for statement in now)


def _share_statement(now: ir.Statement, former: list[ir.Statement]) -> ir.Statement:
    for at, before in enumerate(former):
        if is_same(before, now):
            return former.pop(at)
    if isinstance(now, ir.ClassDef) and former and isinstance(former[0], ir.ClassDef):
        return replace(now, body=share_statements(index_statements(former[0].body), now.body))
    return now


def _statement_key(statement: ir.Statement) -> tuple[type, str]:
    return type(statement), statement.name if isinstance(statement, ir.FunctionDef | ir.ClassDef) else ""


def is_same(before: object, now: object) -> bool:
    """Return whether two pieces of IR are equal, places included."""
    if before is now:
        return True
    kind = type(before)
    if kind is not type(now):
        return False
    if isinstance(before, tuple):
        assert isinstance(now, tuple)
        return len(before) == len(now) and all(map(is_same, before, now))
    names = getattr(kind, "__slots__", None)
    if names is None:
        return before == now
    return all(is_same(getattr(before, name), getattr(now, name)) for name in names)


def is_same_but_bodies(before: Body, now: Body) -> bool:
    """Return whether both bind the same names by the same code: they differ at most inside functions.

    The inside matters only to code that calls the function, or reads its body.
    """
    return len(before) == len(now) and all(map(_is_same_statement_but_bodies, before, now))


def _is_same_statement_but_bodies(before: ir.Statement, now: ir.Statement) -> bool:
    if before is now:
        return True
    if isinstance(before, ir.FunctionDef) and isinstance(now, ir.FunctionDef):
        return _has_same_header(before, now)
    if isinstance(before, ir.ClassDef) and isinstance(now, ir.ClassDef):
        heads = (
            (before.place, before.name, before.arguments, before.decorators),
            (now.place, now.name, now.arguments, now.decorators),
        )
        return is_same(*heads) and is_same_but_bodies(before.body, now.body)
    return is_same(before, now)


def _has_same_header(before: ir.FunctionDef, now: ir.FunctionDef) -> bool:
    """Return whether both `def` statements do the same: they evaluate decorators and non-constant defaults."""
    return is_same(
        (before.name, before.place, before.decorators, _evaluated_defaults(before)),
        (now.name, now.place, now.decorators, _evaluated_defaults(now)),
    )


def _evaluated_defaults(function: ir.FunctionDef) -> tuple[ir.Expr, ...]:
    defaults = (parameter.default for parameter in function.parameters)
    return tuple(default for default in defaults if default is not None and not isinstance(default, ir.Const))


def find_functions(body: Iterable[ir.Statement]) -> Iterator[ir.FunctionDef]:
    """Yield the functions and methods that `is_same_but_bodies` looks into."""
    for statement in body:
        if isinstance(statement, ir.FunctionDef):
            yield statement
        elif isinstance(statement, ir.ClassDef):
            yield from find_functions(statement.body)


def find_classes(body: Iterable[ir.Statement], within: str = "") -> Iterator[tuple[ir.ClassDef, str]]:
    """Yield the classes of a module with their dotted names, except those in functions."""
    for statement in body:
        if isinstance(statement, ir.ClassDef):
            yield statement, within + statement.name
            yield from find_classes(statement.body, f"{within}{statement.name}.")
