"""When an expression needs parentheses to stand as the right operand of an operator."""

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
    """The text of `node` to the right of `operator`, in parentheses if it would bind otherwise without."""
    text = code(node)
    return text if node.lpar or _level(node) > LEVELS[operator] else f"({text})"


def _level(node: cst.BaseExpression) -> int:
    if isinstance(node, ATOMS):
        return 99
    if isinstance(node, cst.BinaryOperation):
        return LEVELS.get(node.operator._get_token() if hasattr(node.operator, "_get_token") else "", 0)
    if isinstance(node, cst.UnaryOperation) and not isinstance(node.operator, cst.Not):
        return UNARY
    return 0
