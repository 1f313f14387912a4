"""Expressions as the walk sees them: sizes are computed, shapes related, all else is unknown."""

from __future__ import annotations

import ast
import operator
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable

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

    def value(self, node: ast.expr, scope: Scope) -> object:
        """Return the value of an expression as far as it is known."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfStepsError
        evaluate = _EVALUATORS.get(type(node))
        return evaluate(self, node, scope) if evaluate is not None else Anything()

    def values(self, nodes: Iterable[ast.expr], scope: Scope) -> list[object]:
        """Return the values of several expressions."""
        return [self.value(node, scope) for node in nodes]

    def _evaluate_constant(self, node: ast.Constant, _scope: Scope) -> object:
        return node.value if isinstance(node.value, PLAIN) else Anything()

    def _evaluate_name(self, node: ast.Name, scope: Scope) -> object:
        return scope[node.id] if node.id in scope else self.global_value(node.id)

    def _evaluate_attribute(self, node: ast.Attribute, scope: Scope) -> object:
        return self._attribute_of(self.value(node.value, scope), node.attr)

    def _evaluate_items(self, node: ast.Tuple | ast.List, scope: Scope) -> object:
        return Several(self.values((item for item in node.elts if not isinstance(item, ast.Starred)), scope))

    def _evaluate_operator(self, node: ast.BinOp, scope: Scope) -> object:
        return self.apply_operator(self.value(node.left, scope), self.value(node.right, scope), node.op)

    def _evaluate_unary(self, node: ast.UnaryOp, scope: Scope) -> object:
        return self._apply_unary(node.op, self.value(node.operand, scope))

    def _evaluate_comparison(self, node: ast.Compare, scope: Scope) -> object:
        return self._compare_values(self.value(node.left, scope), node.ops, self.values(node.comparators, scope))

    def _evaluate_bools(self, node: ast.BoolOp, scope: Scope) -> object:
        return self._combine_bools(node.op, self.values(node.values, scope))

    def _evaluate_choice(self, node: ast.IfExp, scope: Scope) -> object:
        known = self.value(node.test, scope)
        chosen, other = self.value(node.body, scope), self.value(node.orelse, scope)
        return other if isinstance(known, PLAIN) and not known else chosen

    def _evaluate_subscript(self, node: ast.Subscript, scope: Scope) -> object:
        return self._item_of(self.value(node.value, scope), node.slice, scope)

    def _evaluate_comprehension(self, node: ast.ListComp, scope: Scope) -> object:
        if len(node.generators) > 1:
            return Anything()
        (clause,) = node.generators
        return self._comprehension_items(node.elt, clause.target, clause.iter, scope)

    def _evaluate_walrus(self, node: ast.NamedExpr, scope: Scope) -> object:
        found = self.value(node.value, scope)
        self.assign(node.target, found, scope)
        return found

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
            is_there = isinstance(position, int) and -len(base.items) <= position < len(base.items)
            return base.items[position] if isinstance(position, int) and is_there else Anything()
        if isinstance(base, Shaped) or isinstance(index, ast.Tuple):
            found = as_tensor(base)
            return take_part(found, index, position) if found is not None else Anything()
        return Anything()


_EVALUATORS: dict[type[ast.expr], Callable[..., object]] = {
    ast.Constant: Expressions._evaluate_constant,
    ast.Name: Expressions._evaluate_name,
    ast.Attribute: Expressions._evaluate_attribute,
    ast.Tuple: Expressions._evaluate_items,
    ast.List: Expressions._evaluate_items,
    ast.BinOp: Expressions._evaluate_operator,
    ast.UnaryOp: Expressions._evaluate_unary,
    ast.Compare: Expressions._evaluate_comparison,
    ast.BoolOp: Expressions._evaluate_bools,
    ast.IfExp: Expressions._evaluate_choice,
    ast.Subscript: Expressions._evaluate_subscript,
    ast.Call: lambda walk, node, scope: walk.call(node, scope),
    ast.ListComp: Expressions._evaluate_comprehension,
    ast.NamedExpr: Expressions._evaluate_walrus,
}
