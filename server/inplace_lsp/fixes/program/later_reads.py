"""Find out whether a variable is read after a statement, along the ways that the code can go on from there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

import libcst as cst

from inplace_lsp.fixes.program.flow import binding_of, is_no_variable, is_target_of
from inplace_lsp.fixes.program.scopes import is_bound_in
from inplace_lsp.fixes.program.site import Tree


class _Seen(Enum):
    """What code does with the variable first."""

    READ = "some way reads it"
    BOUND = "every way binds it anew"
    NEITHER = "some way does neither"


def is_read_after(tree: Tree, statement: cst.CSTNode, name: str, *, even_to_write: bool = True) -> bool:
    """Return whether the variable `name`, bound by `statement`, may be read: later, in the next round of a loop that
    does not rebind it first, or in a nested function. `even_to_write`: a statement that only writes into what it means
    reads it, too."""
    nodes = tree.nodes_within(tree.span_of(tree.scope_of(statement)))
    if any(isinstance(node, (cst.Global, cst.Nonlocal)) for node in nodes):
        return True
    own = tree.function_of(statement)
    search = _Search(tree, name, own, even_to_write=even_to_write)
    if any(search.is_read(node) and _is_read_in_nested(tree, node, own, name) for node in nodes):
        return True
    return search.is_read_behind(statement)


def _is_read_in_nested(tree: Tree, read: cst.CSTNode, own: cst.CSTNode | None, name: str) -> bool:
    """Return whether a read of the name of function `own` stands in a function within."""
    inner = tree.function_of(read)
    while inner is not own and inner is not None:
        if is_bound_in(inner, name):
            return False
        inner = tree.function_of(inner)
        if inner is own:
            return True
    return False


class _Search:
    """The search for a read of one variable. It ends a way at a binding only as long as nothing has jumped past it."""

    def __init__(self, tree: Tree, name: str, function: cst.CSTNode | None, *, even_to_write: bool) -> None:
        self._tree, self._name, self._function, self._even_to_write = tree, name, function, even_to_write
        self._may_jump = False

    def is_read(self, node: cst.CSTNode) -> bool:
        """Return whether a node reads the variable."""
        if not isinstance(node, cst.Name) or node.value != self._name or is_no_variable(self._tree, node):
            return False
        binding = binding_of(self._tree, node)
        return binding is None or isinstance(binding, cst.AugAssign)

    def is_read_behind(self, statement: cst.CSTNode) -> bool:
        """Return whether the variable may be read after `statement`, before every way binds it anew."""
        node = statement
        for parent in self._tree.parents_of(statement):
            if isinstance(parent, (cst.FunctionDef, cst.ClassDef)):
                return False
            seen = self._see_behind(node, parent)
            if seen is not _Seen.NEITHER:
                return seen is _Seen.READ or self._is_read_in_handlers(parent)
            node = parent
        return False

    def _see_behind(self, node: cst.CSTNode, parent: cst.CSTNode) -> _Seen:
        """Return what the code in `parent` that may run after `node` does."""
        if isinstance(parent, (cst.For, cst.While)):
            return self._see_next_round(parent)
        if isinstance(parent, cst.Try):
            return self._see_any([*parent.handlers, parent.orelse, parent.finalbody])
        body = getattr(parent, "body", ())
        if isinstance(body, Sequence) and node in body:
            return self._see_block(body[body.index(node) + 1 :])
        return _Seen.NEITHER

    def _see_next_round(self, loop: cst.For | cst.While) -> _Seen:
        if isinstance(loop, cst.While) and self._reads(loop.test):
            return _Seen.READ
        rebinds = isinstance(loop, cst.For) and is_target_of(loop.target, self._name)
        if not rebinds and (self._see(loop.body) is _Seen.READ or self._outlives(loop.body)):
            return _Seen.READ
        return self._see_any([loop.orelse])

    def _outlives(self, body: cst.CSTNode) -> bool:
        """Return whether the variable of the last round stays an attribute of the module, and is one that is read."""
        return self._function is None and self._reads(body)

    def _is_read_in_handlers(self, block: cst.CSTNode) -> bool:
        """Return whether a handler reads the variable after an error before its new binding."""
        around = (node for node in self._tree.parents_of(block) if isinstance(node, cst.Try))
        return any(self._reads(part) for outer in around for part in (*outer.handlers, outer.finalbody))

    def _see_block(self, statements: Iterable[cst.CSTNode]) -> _Seen:
        for statement in statements:
            seen = self._see(statement)
            self._may_jump = self._may_jump or self._jumps(statement)
            if seen is _Seen.READ or (seen is _Seen.BOUND and not self._may_jump):
                return seen
        return _Seen.NEITHER

    def _see(self, node: cst.CSTNode) -> _Seen:
        if isinstance(node, (cst.IndentedBlock, cst.SimpleStatementLine, cst.SimpleStatementSuite)):
            return self._see_block(node.body)
        if isinstance(node, cst.Else):
            return self._see(node.body)
        if isinstance(node, cst.If):
            return _Seen.READ if self._reads(node.test) else self._see_arms(node)
        if isinstance(node, cst.With):
            return _Seen.READ if any(map(self._reads, node.items)) else self._see(node.body)
        if isinstance(node, cst.For):
            return self._see_loop(node)
        if isinstance(node, cst.Try):
            return self._see_tried(node)
        if isinstance(node, cst.BaseSmallStatement):
            return self._see_statement(node)
        return _Seen.READ if self._reads(node) else _Seen.NEITHER

    def _see_arms(self, node: cst.If) -> _Seen:
        seen = {self._see(node.body), _Seen.NEITHER if node.orelse is None else self._see(node.orelse)}
        if _Seen.READ in seen:
            return _Seen.READ
        return _Seen.BOUND if seen == {_Seen.BOUND} else _Seen.NEITHER

    def _see_loop(self, node: cst.For) -> _Seen:
        """Return what a loop does; it may have no round."""
        rebinds = is_target_of(node.target, self._name)
        in_round = not rebinds and self._see(node.body) is _Seen.READ
        return _Seen.READ if self._reads(node.iter) or in_round else self._see_any([node.orelse])

    def _see_tried(self, node: cst.Try) -> _Seen:
        """Return what a `try` does; its handlers may run at once."""
        seen = self._see(node.body)
        others = self._see_any([*node.handlers, node.orelse, node.finalbody])
        return _Seen.READ if _Seen.READ in (seen, others) else _Seen.NEITHER if node.handlers else seen

    def _see_any(self, parts: Iterable[cst.CSTNode | None]) -> _Seen:
        return _Seen.READ if any(map(self._reads, parts)) else _Seen.NEITHER

    def _see_statement(self, statement: cst.BaseSmallStatement) -> _Seen:
        if not self._even_to_write and self._only_writes_into(statement):
            return _Seen.NEITHER
        if self._reads(statement):
            return _Seen.READ
        bound = any(binding_of(self._tree, node) is not None for node in self._names_in(statement))
        return _Seen.BOUND if bound else _Seen.NEITHER

    def _only_writes_into(self, statement: cst.BaseSmallStatement) -> bool:
        """Return whether a statement changes what the variable means, and does nothing else with it: `y += 1`,
        `y[0] = 2`, `y.mul_(2)`."""
        written: list[cst.BaseExpression]
        rest: list[cst.CSTNode]
        if isinstance(statement, cst.AugAssign):
            written, rest = [statement.target], [statement.value]
        elif isinstance(statement, cst.Assign):
            written, rest = [target.target for target in statement.targets], [statement.value]
            if not all(isinstance(target, cst.Subscript) for target in written):
                return False
        elif isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Call):
            function = statement.value.func
            if not isinstance(function, cst.Attribute) or not function.attr.value.endswith("_"):
                return False
            written, rest = [function.value], [*statement.value.args]
        else:
            return False
        return all(map(self._is_part, written)) and not any(map(self._reads, rest))

    def _is_part(self, node: cst.BaseExpression) -> bool:
        """Return whether an expression is the variable or an item of it."""
        while isinstance(node, cst.Subscript):
            if any(map(self._reads, node.slice)):
                return False
            node = node.value
        return isinstance(node, cst.Name) and node.value == self._name

    def _reads(self, node: cst.CSTNode | None) -> bool:
        return node is not None and any(map(self.is_read, self._names_in(node)))

    def _names_in(self, node: cst.CSTNode) -> Iterator[cst.Name]:
        """Yield the variable's names in a node, without those in functions within."""
        for inner in self._tree.nodes_within(self._tree.span_of(node)):
            if not isinstance(inner, cst.Name) or inner.value != self._name:
                continue
            if self._tree.function_of(inner) is self._function:
                yield inner

    def _jumps(self, statement: cst.CSTNode) -> bool:
        inner = self._tree.nodes_within(self._tree.span_of(statement))
        return any(isinstance(node, (cst.Break, cst.Continue)) for node in inner)
