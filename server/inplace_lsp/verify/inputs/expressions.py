"""Expressions as the walk sees them: sizes are computed, shapes related, all else is unknown."""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable

from inplace_lsp.verify.inputs.dims import Dim, closed_row, take_last
from inplace_lsp.verify.inputs.shaping import apply_elementwise, dim_of, take_part
from inplace_lsp.verify.inputs.sketch import Anything, Instance, Several, Shape, Shaped, as_tensor, call_function

_ARITHMETIC: dict[type, Callable[..., object]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: lambda a, b: a**b if abs(b) < 64 else None,
}
_COMPARISONS: dict[type, Callable[..., object]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
}
PLAIN = (int, float, str, bool, type(None))
STEPS = 6000
Scope = dict[str, object]


class OutOfStepsError(Exception):
    """The function is too long to be walked whole; what was collected stands."""


class Expressions(ABC):
    """The part of a walk that knows expressions. `steps` bounds the walk over all functions it enters."""

    def __init__(self) -> None:
        self.steps = STEPS

    @abstractmethod
    def call(self, node: ast.Call, scope: Scope) -> object:
        """Return the result of a call."""

    @abstractmethod
    def global_value(self, name: str) -> object:
        """Return the value of a module-level name as far as it is known."""

    @abstractmethod
    def assign(self, target: ast.expr, value: object, scope: Scope) -> None:
        """Bind the target of an assignment."""

    @abstractmethod
    def items_of(self, value: object) -> list[object]:
        """Return the items of a loop over a value as far as they are known."""

    def value(self, node: ast.expr, scope: Scope) -> object:  # noqa: PLR0911 - one for each kind of expression
        """Return the value of an expression as far as it is known."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfStepsError
        match node:
            case ast.Constant(value=value):
                return value if isinstance(value, PLAIN) else Anything()
            case ast.Name(id=name):
                return scope[name] if name in scope else self.global_value(name)
            case ast.Attribute(value=base, attr=name):
                return self._attribute_of(self.value(base, scope), name)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return Several([self.value(item, scope) for item in items if not isinstance(item, ast.Starred)])
            case ast.BinOp(left=left, op=op, right=right):
                return self.apply_operator(self.value(left, scope), self.value(right, scope), op)
            case ast.UnaryOp(op=op, operand=operand):
                return self._apply_unary(op, self.value(operand, scope))
            case ast.Compare(left=left, ops=ops, comparators=others):
                return self._compare_values(self.value(left, scope), ops, [self.value(one, scope) for one in others])
            case ast.BoolOp(op=op, values=values):
                return self._combine_bools(op, [self.value(one, scope) for one in values])
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known = self.value(test, scope)
                chosen, other = self.value(body, scope), self.value(orelse, scope)
                return other if isinstance(known, PLAIN) and not known else chosen
            case ast.Subscript(value=base, slice=index):
                return self._item_of(self.value(base, scope), index, scope)
            case ast.Call():
                return self.call(node, scope)
            case ast.ListComp(elt=element, generators=[ast.comprehension(target=target, iter=source)]):
                return self._comprehension_items(element, target, source, scope)
            case ast.NamedExpr(target=target, value=value):
                found = self.value(value, scope)
                self.assign(target, found, scope)
                return found
        return Anything()

    def _comprehension_items(self, element: ast.expr, target: ast.expr, source: ast.expr, scope: Scope) -> object:
        items = []
        for item in self.items_of(self.value(source, scope)):
            inner = dict(scope)
            self.assign(target, item, inner)
            items.append(self.value(element, inner))
        return Several(items)

    def _attribute_of(self, base: object, name: str) -> object:
        if isinstance(base, Instance):
            return base.attributes.get(name, Anything())
        if name in ("T", "mT", "H", "data", "grad", "shape", "ndim", "real"):
            found = as_tensor(base)
            if found is not None:
                return self._of_tensor(found, name)
        return Anything()

    def _of_tensor(self, found: Shaped, name: str) -> object:
        if name == "shape":
            return Shape(found)
        if name in ("T", "mT"):
            n, m = take_last(found.row, 2)[-2:] if len(take_last(found.row, 2)) == 2 else (Dim(), Dim())
            return Shaped(closed_row((m, n)))
        return found if name in ("data", "grad") else Anything()

    def apply_operator(self, left: object, right: object, op: ast.operator) -> object:
        """Return the result of an operator."""
        if isinstance(op, ast.MatMult):
            return call_function("matmul", [left, right])
        if isinstance(left, (int, float, str)) and isinstance(right, (int, float, str)):
            try:
                return _ARITHMETIC[type(op)](left, right)
            except (KeyError, TypeError, ValueError, ArithmeticError):
                return Anything()
        if isinstance(left, Several) and isinstance(right, Several):
            return Several(left.items + right.items)
        if isinstance(left, Dim) or isinstance(right, Dim):
            return self._combine_sizes(left, right, op)
        return apply_elementwise([left, right])

    def _combine_sizes(self, left: object, right: object, op: ast.operator) -> object:
        first, second = (size.root().value if isinstance(size, Dim) else size for size in (left, right))
        if isinstance(first, int) and isinstance(second, int):
            return self.apply_operator(first, second, op)
        return Anything() if isinstance(left, Anything) or isinstance(right, Anything) else Dim()

    def _apply_unary(self, op: ast.unaryop, operand: object) -> object:
        if isinstance(operand, (int, float)) and isinstance(op, ast.USub):
            return -operand
        if isinstance(op, ast.Not):
            return not operand if isinstance(operand, PLAIN) else Anything()
        found = as_tensor(operand) if isinstance(operand, Shaped) else None
        if found is not None and isinstance(op, ast.Invert):
            found.dtype = found.dtype or "bool"
        return operand

    def _compare_values(self, left: object, ops: list[ast.cmpop], others: list[object]) -> object:
        if len(others) == 1 and type(ops[0]) in _COMPARISONS:
            if isinstance(left, PLAIN) and isinstance(others[0], PLAIN):
                try:
                    return _COMPARISONS[type(ops[0])](left, others[0])
                except TypeError:
                    return Anything()
            if isinstance(left, Shaped):
                return Shaped(left.row, "bool")
        return Anything()

    def _combine_bools(self, op: ast.boolop, values: list[object]) -> object:
        if not all(isinstance(value, PLAIN) for value in values):
            decided = [v for v in values if isinstance(v, PLAIN) and bool(v) == isinstance(op, ast.Or)]
            return decided[0] if decided and decided[0] is not None else Anything()
        for value in values[:-1]:
            if bool(value) == isinstance(op, ast.Or):
                return value
        return values[-1]

    def _item_of(self, base: object, index: ast.expr, scope: Scope) -> object:
        position = self.value(index, scope)
        if isinstance(base, Shape) and isinstance(position, int):
            return dim_of(base.of, position)
        if isinstance(base, Several):
            if isinstance(position, int) and -len(base.items) <= position < len(base.items):
                return base.items[position]
            return Anything()
        if isinstance(index, (ast.Tuple, ast.Slice)) or isinstance(base, Shaped):
            found = as_tensor(base) if not isinstance(index, ast.Slice) or isinstance(base, Shaped) else None
            return take_part(found, index, position) if found is not None else Anything()
        return Anything()
