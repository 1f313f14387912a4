"""Whose memory an expression gives: new memory that nobody else holds and no op has kept."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from inplace_lsp.offers import ops
from inplace_lsp.offers.layers import Layers
from inplace_lsp.offers.reading import SCOPES, Function, Reading, is_number

_SUMS = (ast.Add, ast.Sub)
_ARITHMETIC = (*_SUMS, ast.Mult, ast.Div)
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.Eq, ast.NotEq)
_SIMPLE = (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)
"""Statements that evaluate what is in them once."""
_KEEPING = ops.KEEPING_DTYPE | ops.KEEPING_FLOATS
_ASKING = frozenset({"print", "len", "isinstance", "type"})
_LIKE = frozenset(f"torch.{name}" for name in "rand_like randn_like zeros_like ones_like isnan isinf is_tensor".split())


class Memory:
    """What the text of a file says about the memory of its expressions."""

    def __init__(self, reading: Reading, layers: Layers) -> None:
        self._reading, self._layers = reading, layers

    def is_fresh(self, node: ast.expr) -> bool:
        """Return whether an expression computes a tensor that nobody holds or has saved, if a tensor at all."""
        if isinstance(node, ast.BinOp):
            return isinstance(node.op, (*_ARITHMETIC, ast.MatMult))
        if not isinstance(node, ast.Call) or any(word.arg in ("out", "requires_grad", None) for word in node.keywords):
            return False
        name = self._reading.find_dotted_name(node.func)
        if name or not isinstance(node.func, ast.Attribute):
            return ops.is_fresh_function(name)
        return ops.is_fresh_method(node.func.attr) or self._layers.is_fresh_call(node)

    def gives_floats(self, node: ast.expr) -> bool:
        """Return whether the tensor that an expression gives certainly holds floats."""
        if isinstance(node, ast.Name):
            made = self.find_value(node)
            return made is not None and self.gives_floats(made)
        if isinstance(node, ast.BinOp):
            return self.is_fresh(node) and (self.gives_floats(node.left) or self.gives_floats(node.right))
        return isinstance(node, ast.Call) and self._call_gives_floats(node)

    def _call_gives_floats(self, call: ast.Call) -> bool:
        name = self._reading.find_dotted_name(call.func)
        if name:
            op = name.rpartition(".")[2]
            if op in _KEEPING and call.args and self.gives_floats(call.args[0]):
                return True
            return ops.gives_floats(name) and all(word.arg != "dtype" for word in call.keywords)
        if self._layers.is_fresh_call(call):
            return True
        return isinstance(call.func, ast.Attribute) and self._keeps_floats(call, call.func)

    def _keeps_floats(self, call: ast.Call, function: ast.Attribute) -> bool:
        """Return whether a method of a tensor of floats gives floats: `x.view(dtype)` need not."""
        names_type = len(call.args) == 1 and isinstance(call.args[0], (ast.Name, ast.Attribute))
        keeps = function.attr in _KEEPING or (ops.gives_view(function.attr) and not names_type and not call.keywords)
        return keeps and self.gives_floats(function.value)

    def find_value(self, name: ast.Name) -> ast.expr | None:
        """Return what a variable was last set to in the statements before its own, if that is one expression."""
        statement = self._reading.statement_of(name)
        for before in reversed(self._reading.list_before(statement)):
            if binds(before, name.id):
                return assigned_value(before, name.id)
        return None

    def find_origin(self, operand: ast.expr) -> ast.expr:
        """Return what has made the memory of an operand: writes to a variable since then make no other."""
        if not isinstance(operand, ast.Name):
            return operand
        for before in reversed(self._reading.list_before(self._reading.statement_of(operand))):
            if binds(before, operand.id) and not adds_to(before, operand.id):
                return assigned_value(before, operand.id) or operand
        return operand

    def is_dead_after(self, operand: ast.Name, op: ast.expr) -> bool:
        """Return whether `op` is the last that reads the memory of a variable, on every path.

        The variable is a function's own; it was set to new memory by a statement of the same block, so that whoever
        comes to `op` has come through that; until then it was only looked at.
        """
        name, statement = operand.id, self._reading.statement_of(op)
        function = self._reading.scope_of(op)
        if not isinstance(function, Function) or not isinstance(statement, _SIMPLE) or not self._is_own(name, function):
            return False
        between = self._find_lookers(name, statement)
        if between is None or not self._is_read_by_op_alone(operand, statement, op):
            return False
        if self._is_rebound(name, statement, op):
            return True
        seen = {id(node) for part in (*between, statement) for node in ast.walk(part)}
        return all(id(node) in seen for node in self._list_reads(function, name))

    def _is_read_by_op_alone(self, operand: ast.Name, statement: ast.stmt, op: ast.expr) -> bool:
        """Return whether all of the statement that reads a variable is in `op`, and but for the operand only looks."""
        mine = set(ast.walk(op))
        reads = self._list_reads(statement, operand.id)
        return all(node is operand or (node in mine and self._only_looks(node)) for node in reads)

    def _list_reads(self, node: ast.AST, name: str) -> list[ast.Name]:
        """Return where the variable is read; `x += 1` reads it, too."""
        return [
            inner
            for inner in _names(node, name)
            if isinstance(inner.ctx, ast.Load) or isinstance(self._reading.parents[inner], ast.AugAssign)
        ]

    def _is_own(self, name: str, function: Function) -> bool:
        """Return whether a variable is local, and none of the functions and comprehensions inside see it."""
        for node in ast.walk(function):
            if isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names:
                return False
            if node is not function and isinstance(node, SCOPES) and any(True for _ in _names(node, name)):
                return False
        return True

    def _find_lookers(self, name: str, statement: ast.stmt) -> list[ast.stmt] | None:
        """Return the statements from where a variable gets new memory to before `statement`; None if it is not certain
        that they only look at it."""
        passed: list[ast.stmt] = []
        for before in reversed(self._reading.list_before(statement)):
            reads = [node for node in _names(before, name) if isinstance(node.ctx, ast.Load)]
            value = assigned_value(before, name)
            passed.append(before)
            if value is not None:
                return passed if self.is_fresh(value) else None
            if not all(map(self._only_looks, reads)):
                return None
            if binds(before, name) and not adds_to(before, name):
                return None
        return None

    def _is_rebound(self, name: str, statement: ast.stmt, op: ast.expr) -> bool:
        """Return whether the statement gives the variable another tensor before anybody can read it."""
        around = [node for node in self._reading.ancestors(statement) if isinstance(node, (ast.Try, ast.With))]
        if isinstance(statement, ast.Return):
            return not around or statement.value is op
        value = assigned_value(statement, name)
        return value is op or (value is not None and not around)

    def _only_looks(self, node: ast.Name) -> bool:
        """Return whether a use of a variable keeps neither the tensor nor a view of it, and lets no op save it."""
        around = self._reading.parents[node]
        if isinstance(around, ast.Compare):
            return all(isinstance(op, _ORDERS) for op in around.ops)
        if isinstance(around, ast.BinOp):
            return _saves_no_operand(around, node)
        if isinstance(around, ast.AugAssign):
            return around.value is node and isinstance(around.op, _SUMS) and isinstance(around.target, ast.Name)
        if isinstance(around, ast.Attribute):
            return self._is_description(around)
        return isinstance(around, ast.Call) and node in around.args and self._is_asking(around, node)

    def _is_description(self, node: ast.Attribute) -> bool:
        """Return whether an attribute or a method only describes its tensor."""
        call = self._reading.parents[node]
        if isinstance(call, ast.Call) and call.func is node:
            return ops.only_looks(node.attr)
        return isinstance(node.ctx, ast.Load) and node.attr in ops.DESCRIPTIONS

    def _is_asking(self, call: ast.Call, node: ast.Name) -> bool:
        """Return whether a call that is given a variable keeps nothing of it."""
        if isinstance(call.func, ast.Name) and call.func.id in _ASKING:
            return True
        name = self._reading.find_dotted_name(call.func)
        if not name or any(isinstance(argument, ast.Starred) for argument in call.args):
            return False
        options = {word.arg for word in call.keywords}
        return name in _LIKE or (
            not options & {"inplace", "out", None}
            and ops.looks_at_argument(name, call.args.index(node), len(call.args))
        )


def _saves_no_operand(node: ast.BinOp, operand: ast.Name) -> bool:
    """Return whether arithmetic saves the operand for no backward: a sum, or with a number."""
    other = node.right if node.left is operand else node.left
    return isinstance(node.op, _SUMS) or (isinstance(node.op, _ARITHMETIC) and is_number(other))


def _names(node: ast.AST, name: str) -> Iterator[ast.Name]:
    return (inner for inner in ast.walk(node) if isinstance(inner, ast.Name) and inner.id == name)


def binds(statement: ast.AST, name: str) -> bool:
    """Return whether a statement, or one inside it, may bind a variable."""
    return any(not isinstance(node.ctx, ast.Load) for node in _names(statement, name)) or any(
        name in (getattr(node, "name", None), getattr(node, "asname", None)) for node in ast.walk(statement)
    )


def assigned_value(statement: ast.stmt, name: str) -> ast.expr | None:
    """Return what a statement assigns to the variable alone."""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target: ast.expr = statement.targets[0]
    elif isinstance(statement, ast.AnnAssign):
        target = statement.target
    else:
        return None
    return statement.value if isinstance(target, ast.Name) and target.id == name else None


def adds_to(statement: ast.stmt, name: str) -> bool:
    """Return whether a statement writes to what the variable holds, by an op that does not keep it."""
    return isinstance(statement, ast.AugAssign) and isinstance(statement.op, _ARITHMETIC) and (
        isinstance(statement.target, ast.Name) and statement.target.id == name
    )  # fmt: skip
