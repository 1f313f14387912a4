"""Expressions as messages show them: names, places in containers, calls, and the tests of branches."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from inplace_lsp.interpret.autograd.guards import Condition
from inplace_lsp.source import ir

LONGEST_INDEX = 20
LONGEST_CONDITION = 60


@lru_cache(maxsize=8192)
def describe_expression(node: ir.Expr | None) -> str:
    """Return `node` as messages show it: `x`, `self.norm`, `model(x)`; "" if it has no short name."""
    if isinstance(node, ir.Name):
        return node.id
    if isinstance(node, ir.Attribute):
        inner = describe_expression(node.value)
        return f"{inner}.{node.name}" if inner else node.name
    if isinstance(node, ir.Call):
        inner = describe_expression(node.function)
        arguments = ", ".join(describe_expression(a.value) or "..." for a in node.arguments)
        return f"{inner}({arguments})" if len(arguments) <= 30 else f"{inner}(...)"
    if isinstance(node, ir.Subscript):
        inner = describe_expression(node.value)
        return f"{inner}[{_describe_index(node.index)}]" if inner else ""
    if isinstance(node, ir.NamedExpr):
        return describe_expression(node.target)
    return ""


def _describe_index(node: ir.Expr) -> str:
    """Return an index as it is written, `...` if that is long."""
    text = _describe_short_expression(node)
    return text if text and len(text) <= LONGEST_INDEX else "..."


def _describe_short_expression(node: ir.Expr | None) -> str:
    """Return a simple expression as it is written, "" for any other."""
    match node:
        case ir.Const():
            return repr(node.value)
        case ir.BinOp():
            return _describe_arithmetic(node)
        case ir.UnaryOp():
            operand = _describe_short_expression(node.operand)
            return f"{node.op}{operand}" if operand and node.op == "-" else ""
        case ir.Slice(step=None):
            return _describe_slice(node)
        case ir.Sequence(kind="tuple"):
            parts = [_describe_short_expression(item) for item in node.items]
            return ", ".join(parts) if all(parts) else ""
        case _:
            return describe_expression(node)


def _describe_slice(node: ir.Slice) -> str:
    """Return `lower:upper` as it is written, "" if a bound is no simple expression."""
    lower, upper = _describe_short_expression(node.lower), _describe_short_expression(node.upper)
    is_simple = (lower or not node.lower) and (upper or not node.upper)
    return f"{lower}:{upper}" if is_simple else ""


def describe_operation(node: ir.BinOp) -> str:
    """Return the result of an operation as messages show it: by both operands, or by the one that has a short name."""
    left, right = describe_expression(node.left), describe_expression(node.right)
    return f"{left} {node.op} {right}" if left and right else left or right


def _describe_arithmetic(node: ir.BinOp) -> str:
    """Return `left op right` as it is written, "" if an operand is no simple expression."""
    binding = _PRECEDENCE.get(node.op, 0)
    left = _describe_operand(node.left, binding)
    right = _describe_operand(node.right, binding + 1)
    return f"{left} {node.op} {right}" if left and right else ""


def _describe_operand(node: ir.Expr, binding: int) -> str:
    """Return an operand as it is written, in parentheses if it does not bind so tightly."""
    text = _describe_short_expression(node)
    is_loose = isinstance(node, ir.BinOp) and _PRECEDENCE.get(node.op, 0) < binding
    return f"({text})" if text and is_loose else text


_PRECEDENCE = {"+": 1, "-": 1, "*": 2, "/": 2, "//": 2, "%": 2, "@": 2, "**": 3}
"""How tightly binary operators bind; the others bind less."""
_NEGATIONS = {"is": "is not", "in": "not in", "==": "!=", "<": ">=", "<=": ">"}
_NEGATIONS |= {negation: op for op, negation in _NEGATIONS.items()}


def describe_condition(test: ir.Expr, *, holds: bool) -> Condition | None:
    """Return a test that came out as `holds`, as messages show it; None if that would be long or unclear."""
    said, denied = _describe_test(test), _describe_negation(test)
    if not said or not denied or max(len(said), len(denied)) > LONGEST_CONDITION:
        return None
    return Condition(said, denied) if holds else Condition(denied, said)


@lru_cache(maxsize=1024)
def _describe_test(node: ir.Expr) -> str:
    """Return a test as it is written, "" if it has no short form."""
    match node:
        case ir.UnaryOp(op="not"):
            return _describe_negation(node.operand)
        case ir.BoolOp():
            return _join_sides(node, node.op, _describe_test)
        case ir.Compare():
            parts = [_describe_side(node.left)]
            for op, operand in node.rest:
                parts += [op, _describe_side(operand)]
            return " ".join(parts) if all(parts) else ""
        case _:
            return describe_expression(node) if _starts_at_name(node) else ""


def _starts_at_name(node: ir.Expr) -> bool:
    """Return whether the description of a call or attribute tells of what: `any()` of `(a > b).any()` does not."""
    while isinstance(node, (ir.Attribute, ir.Call, ir.Subscript)):
        node = node.function if isinstance(node, ir.Call) else node.value
    return isinstance(node, (ir.Name, ir.NamedExpr))


def _describe_negation(node: ir.Expr) -> str:
    """Return the negation of a test as one would write it, "" if it has no short form."""
    match node:
        case ir.UnaryOp(op="not"):
            return _describe_test(node.operand)
        case ir.Compare(rest=((op, operand),)) if op in _NEGATIONS:
            left, right = _describe_side(node.left), _describe_side(operand)
            return f"{left} {_NEGATIONS[op]} {right}" if left and right else ""
        case ir.BoolOp():
            return _join_sides(node, "and" if node.op == "or" else "or", _describe_negation)
        case ir.Compare():
            text = _describe_test(node)
            return f"not ({text})" if text else ""
        case _:
            text = describe_expression(node) if _starts_at_name(node) else ""
            return f"not {text}" if text else ""


def _join_sides(node: ir.BoolOp, op: str, describe: Callable[[ir.Expr], str]) -> str:
    """Return both sides, described, with `op` between them; "" if one has no short form."""
    parts = [(describe(side), isinstance(side, ir.BoolOp) and side.op != node.op) for side in (node.left, node.right)]
    closed = [f"({text})" if is_loose else text for text, is_loose in parts]
    return f" {op} ".join(closed) if all(text for text, _ in parts) else ""


def _describe_side(node: ir.Expr) -> str:
    """Return a side of a comparison as it is written, "" if it has no short form."""
    if not isinstance(node, ir.Sequence):
        return _describe_short_expression(node)
    parts = [_describe_short_expression(item) for item in node.items]
    before, behind = _BRACKETS[node.kind]
    return f"{before}{', '.join(parts)}{behind}" if all(parts) else ""


_BRACKETS = {"tuple": ("(", ")"), "list": ("[", "]"), "set": ("{", "}")}
