"""Leave out conditions that another one implies: `n == 3` makes `n > 1` redundant."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

_COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}  # fmt: skip


class _Test(NamedTuple):
    """A condition about one expression (`about`, as text): it is true, is not None, or compares with a constant."""

    about: str
    kind: str
    op: type[ast.cmpop] | None = None
    constant: object = None


def drop_implied(conditions: Sequence[str]) -> tuple[str, ...]:
    """Return the conditions without those that follow from another one."""
    tests = {said: _read_test(said) for said in conditions}
    return tuple(
        said
        for said in conditions
        if not any(other != said and _implies(tests[other], tests[said]) for other in conditions)
    )


@lru_cache(maxsize=1024)
def _read_test(said: str) -> _Test | None:
    try:
        node = ast.parse(said, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        return _read_comparison(node.left, node.ops[0], node.comparators[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "isinstance" and node.args:
        return _Test(ast.unparse(node.args[0]), "is an instance")
    return _Test(ast.unparse(node), "is true") if isinstance(node, (ast.Name, ast.Attribute)) else None


def _read_comparison(left: ast.expr, op: ast.cmpop, right: ast.expr) -> _Test | None:
    if not isinstance(right, ast.Constant):
        return None
    if isinstance(op, ast.IsNot) and right.value is None:
        return _Test(ast.unparse(left), "is not None")
    return _Test(ast.unparse(left), "compares", type(op), right.value) if type(op) in _COMPARISONS else None


def _implies(given: _Test | None, asked: _Test | None) -> bool:
    """Return whether the second test follows from the first. Two equal tests do not imply each other."""
    if given is None or asked is None or given.about != asked.about:
        return False
    if asked.kind == "is not None":
        return given.kind != "is not None"
    if given.kind != "compares" or given.op is not ast.Eq or asked.kind == "is an instance":
        return False
    if asked.kind == "is true":
        return bool(given.constant)
    try:
        return asked.op is not ast.Eq and bool(_COMPARISONS[asked.op](given.constant, asked.constant))  # type: ignore[index]
    except TypeError:
        return False
