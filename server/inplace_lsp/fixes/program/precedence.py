"""Add parentheses where an expression needs them: to the right of an operator, before a method call."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

LEVELS = {"|": 1, "^": 2, "&": 3, "<<": 4, ">>": 4, "+": 5, "-": 5, "*": 6, "/": 6, "//": 6, "%": 6, "@": 6, "**": 8}
UNARY = 7
ATOMS = (
    cst.Name,
    cst.Attribute,
    cst.Call,
    cst.Subscript,
    cst.Integer,
    cst.Float,
    cst.Imaginary,
    cst.SimpleString,
    cst.List,
    cst.Dict,
    cst.Set,
    cst.ListComp,
    cst.GeneratorExp,
)


def as_right_operand(node: cst.BaseExpression, operator: str, code: Callable[[cst.CSTNode], str]) -> str:
    """Return the text of `node` as the right operand of `operator`, in parentheses if needed."""
    return _parenthesize(node, code, closed=_binding_strength(node) > LEVELS[operator])


def as_receiver(node: cst.BaseExpression, code: Callable[[cst.CSTNode], str]) -> str:
    """Return the text of `node` as the receiver of `.method()`, in parentheses if needed."""
    number = isinstance(node, cst.BaseNumber) and not node.lpar
    return _parenthesize(node, code, closed=is_closed(node) and not number)


def is_closed(node: cst.BaseExpression) -> bool:
    """Return whether no neighbouring operator can split `node`: a name, a call, something in parentheses."""
    return isinstance(node, ATOMS) or bool(node.lpar)


def _parenthesize(node: cst.BaseExpression, code: Callable[[cst.CSTNode], str], *, closed: bool) -> str:
    return code(node) if closed else f"({code(node)})"


def _binding_strength(node: cst.BaseExpression) -> int:
    if is_closed(node):
        return 99
    if isinstance(node, cst.BinaryOperation):
        return LEVELS.get(node.operator._get_token() if hasattr(node.operator, "_get_token") else "", 0)
    if isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
        return UNARY
    return 0
