"""A walk over a function's source that collects what it asks of the shapes of its parameters.

No value is computed but sizes: constructor arguments are numbers already chosen, so that `nn.Linear(dim, 3 * dim)` is a
layer of known width. Both branches of an `if` are walked where its test is open. What is not understood is skipped:
the result orders the search for inputs and nothing more.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable

from inplace_lsp.verify.inputs.calls import Calls
from inplace_lsp.verify.inputs.dims import Dim, equate_dims, fix_rank, require_rank, take_last
from inplace_lsp.verify.inputs.expressions import PLAIN, OutOfStepsError, Scope
from inplace_lsp.verify.inputs.program import Function, Program
from inplace_lsp.verify.inputs.shaping import apply_elementwise
from inplace_lsp.verify.inputs.sketch import Anything, Instance, Several, Shape, Shaped, as_tensor


class Walk(Calls):
    """One walk, statement by statement."""

    def __init__(self, program: Program) -> None:
        super().__init__(program)
        self._globals: Scope = {}

    def function(self, node: Function, scope: Scope) -> None:
        """Walk a function whose parameters are in `scope`."""
        try:
            self.body(node.body, scope)
        except (OutOfStepsError, RecursionError):
            return

    def body(self, body: Iterable[ast.stmt], scope: Scope) -> object:
        """Walk statements and return their result."""
        result: object = None
        for node in body:
            self.steps -= 1
            if self.steps < 0:
                raise OutOfStepsError
            found = self._walk_statement(node, scope)
            result = found if found is not None else result
        return result

    def global_value(self, name: str) -> object:
        """Return the value of a module-level name: a script's models and sizes are there."""
        if name not in self._globals:
            self._globals[name] = Anything()
            node = self.program.first_assignments.get(name)
            if node is not None:
                self._walk_statement(node, self._globals)
        return self._globals[name]

    def _walk_statement(self, node: ast.stmt, scope: Scope) -> object:
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.value(value, scope)
                for target in targets:
                    self.assign(target, found, scope)
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, self.value(value, scope), scope)
            case ast.AugAssign(target=target, op=op, value=value):
                self.apply_operator(self.value(target, scope), self.value(value, scope), op)
            case ast.Expr(value=value):
                self.value(value, scope)
            case ast.Return(value=ast.expr() as value):
                return self.value(value, scope)
            case ast.Assert(test=test):
                self._walk_assert(test, scope)
            case _:
                return self._walk_block(node, scope)
        return None

    def _walk_block(self, node: ast.stmt, scope: Scope) -> object:
        """Walk a statement that has a body; return the result of it."""
        match node:
            case ast.If(test=test, body=body, orelse=orelse):
                return self._walk_if(test, body, orelse, scope)
            case ast.For(target=target, iter=source, body=body, orelse=orelse):
                for item in self.items_of(self.value(source, scope)):
                    self.assign(target, item, scope)
                    self.body(body, scope)
                return self.body(orelse, scope)
            case ast.With(body=body) | ast.Try(body=body):
                return self.body(body, scope)
            case ast.While(test=test, body=body):
                self.value(test, scope)
                return self.body(body, scope)
        return None

    def _walk_if(self, test: ast.expr, body: list[ast.stmt], orelse: list[ast.stmt], scope: Scope) -> object:
        known = self.value(test, scope)
        if isinstance(known, PLAIN) and known is not None:
            return self.body(body if known else orelse, scope)
        if body and isinstance(body[-1], ast.Raise):
            return self.body(orelse, scope)
        first, second = self.body(body, scope), self.body(orelse, scope)
        return first if first is not None else second

    def _walk_assert(self, test: ast.expr, scope: Scope) -> None:
        match test:
            case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
                first, second = self.value(left, scope), self.value(right, scope)
                if isinstance(first, Dim) and isinstance(second, (Dim, int)):
                    equate_dims(first, second if isinstance(second, Dim) else Dim(value=second))
            case ast.BoolOp(op=ast.And(), values=values):
                for value in values:
                    self._walk_assert(value, scope)

    def items_of(self, value: object) -> list[object]:
        """Return the items of a loop over a value, only the first few of many."""
        if isinstance(value, Several):
            return value.items[:8]
        found = as_tensor(value) if isinstance(value, Shaped) else None
        if found is not None:
            require_rank(found.row, 1)
        return [Anything()]

    def assign(self, target: ast.expr, value: object, scope: Scope) -> None:
        """Bind what stands left of an assignment."""
        match target:
            case ast.Name(id=name):
                scope[name] = value
            case ast.Attribute(value=base, attr=name):
                holder = self.value(base, scope)
                if isinstance(holder, Instance):
                    holder.attributes.setdefault(name, value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                for element, item in zip(targets, self._unpack_value(targets, value), strict=False):
                    self.assign(element, item, scope)
            case ast.Subscript():
                apply_elementwise([self.value(target, scope), value])

    def _unpack_value(self, targets: list[ast.expr], value: object) -> list[object]:
        if isinstance(value, Several):
            return value.items + [Anything() for _ in targets[len(value.items) :]]
        if isinstance(value, Shape):
            return _unpack_shape(targets, value.of)
        return [Anything() for _ in targets]


def _unpack_shape(targets: list[ast.expr], tensor: Shaped) -> list[object]:
    """Return the sizes of a tensor, whose rank is that of the targets."""
    starred = [at for at, element in enumerate(targets) if isinstance(element, ast.Starred)]
    if starred:
        after = len(targets) - starred[0] - 1
        require_rank(tensor.row, len(targets) - 1)
        return [Anything() for _ in targets[:-after]] + list(take_last(tensor.row, after)) if after else []
    dims = fix_rank(tensor.row, len(targets))
    for element, dim in zip(targets, dims, strict=False):
        if isinstance(element, ast.Name) and not dim.root().name:
            dim.root().name = element.id
    return list(dims)
