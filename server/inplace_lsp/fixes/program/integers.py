"""Find the expressions of a loop that are spelled as integers: they index a list as they index a tensor."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.program.site import Tree

ARITHMETIC = (cst.Add, cst.Subtract, cst.Multiply, cst.FloorDivide, cst.Modulo)


class Integers:
    """The integer names in the scope of `node`: loop counters, and names that are only assigned integers."""

    def __init__(self, tree: Tree, node: cst.CSTNode) -> None:
        bound = _BoundNames(tree)
        tree.scope_of(node).visit(bound)
        self._names = bound.counters | bound.numbers
        self._names -= {name for name, value in bound.values if not self.is_integer(value)} | bound.others

    def is_integer(self, node: cst.BaseExpression) -> bool:
        """Return whether `node` is an integer literal, an integer name, or arithmetic on these."""
        if isinstance(node, cst.UnaryOperation):
            return isinstance(node.operator, (cst.Minus, cst.Plus)) and self.is_integer(node.expression)
        if isinstance(node, cst.BinaryOperation):
            plain = isinstance(node.operator, ARITHMETIC)
            return plain and self.is_integer(node.left) and self.is_integer(node.right)
        return isinstance(node, cst.Integer) or (isinstance(node, cst.Name) and node.value in self._names)


class _BoundNames(cst.CSTVisitor):
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.counters: set[str] = set()
        self.numbers: set[str] = set()
        self.others: set[str] = set()
        self.values: list[tuple[str, cst.BaseExpression]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.For, cst.CompFor)):
            self._visit_loop(node)
        elif isinstance(node, cst.Assign):
            for target in node.targets:
                self._visit_assignment(target.target, node.value)
        elif isinstance(node, (cst.AugAssign, cst.NamedExpr)):
            self._visit_assignment(node.target, node.value)
        return True

    def _visit_loop(self, loop: cst.For | cst.CompFor) -> None:
        counter, rest = self._split_target(loop.iter, loop.target)
        if counter is not None:
            self.counters.add(counter)
        for name in rest:
            self.others |= _names_in_target(name)

    def _split_target(
        self, iterable: cst.BaseExpression, target: cst.BaseExpression
    ) -> tuple[str | None, list[cst.BaseExpression]]:
        """Return the counting name and whatever else the loop binds."""
        name = self.tree.code_of(iterable.func) if isinstance(iterable, cst.Call) else ""
        if isinstance(iterable, cst.Call) and name in {"reversed", "tqdm"} and iterable.args:
            return self._split_target(iterable.args[0].value, target)
        if name in {"range", "trange"} and isinstance(target, cst.Name):
            return target.value, []
        if name == "enumerate" and isinstance(target, cst.Tuple):
            return _split_pair(target)
        return None, [target]

    def _visit_assignment(self, target: cst.BaseExpression, value: cst.BaseExpression) -> None:
        if isinstance(target, cst.Name):
            self.numbers.add(target.value)
            self.values.append((target.value, value))
        else:
            self.others |= _names_in_target(target)


def _names_in_target(node: cst.BaseExpression) -> set[str]:
    """Return the names that a compound target binds."""
    if isinstance(node, (cst.Tuple, cst.List)):
        return {name for element in node.elements for name in _names_in_target(element.value)}
    return {node.value} if isinstance(node, cst.Name) else set()


def _split_pair(target: cst.Tuple) -> tuple[str | None, list[cst.BaseExpression]]:
    """Return the counter of `for i, item in enumerate(...)` and what else the target binds."""
    parts = [element.value for element in target.elements]
    if len(parts) == 2 and isinstance(parts[0], cst.Name):
        return parts[0].value, [parts[1]]
    return None, [target]
