"""The operators that write in place: as the text has them, as methods of tensors, and as torch reports them."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True)
class Operator:
    """An operator: its symbol in the text and in the syntax tree, its method, and the names that torch reports."""

    symbol: str
    node: type[ast.operator]
    method: str
    reported: tuple[str, ...]


_ALL = (
    Operator("+=", ast.Add, "__iadd__", ("add_",)),
    Operator("-=", ast.Sub, "__isub__", ("sub_",)),
    Operator("*=", ast.Mult, "__imul__", ("mul_",)),
    Operator("/=", ast.Div, "__itruediv__", ("div_", "true_divide_")),
    Operator("//=", ast.FloorDiv, "__ifloordiv__", ("floor_divide_",)),
    Operator("%=", ast.Mod, "__imod__", ("remainder_",)),
    Operator("**=", ast.Pow, "__ipow__", ("pow_",)),
    Operator("&=", ast.BitAnd, "__iand__", ("__iand__",)),
    Operator("|=", ast.BitOr, "__ior__", ("__ior__",)),
    Operator("^=", ast.BitXor, "__ixor__", ("__ixor__",)),
    Operator("<<=", ast.LShift, "__ilshift__", ("__ilshift__",)),
    Operator(">>=", ast.RShift, "__irshift__", ("__irshift__",)),
)
BY_METHOD = {operator.method: operator.symbol for operator in _ALL}
"""Operators by the methods of tensors behind them."""
BY_NODE = {operator.node: operator.symbol for operator in _ALL}
"""Operators by what the syntax tree calls them."""
BY_REPORT = {name: operator.symbol for operator in _ALL for name in operator.reported}
"""Operators by the name that torch reports for them, which is also the name of the plain method."""
