"""Where a name is handed on in a way that leaves no trace on a tape: `z = y`, `[y]`, `keep(y)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.site import Tree


def handed_on(tree: Tree, statement: cst.CSTNode, name: str) -> Iterator[int]:
    """The rows on which somebody besides `statement` may take what `name` holds, in the function of `statement`.

    What a function returns it hands on too, but then it writes no more.
    """
    function = tree.function_of(statement)
    finder = _HandedOn(name, modules_of_torch(tree), statement)
    scope: cst.CSTNode = function.body if function is not None else tree.wrapper.module
    scope.visit(finder)
    yield from (tree.span(node).row for node in finder.places)


def with_aliases(tree: Tree, names: frozenset[str]) -> frozenset[str]:
    """`names` and those that `z = y` makes mean the same; a tape knows a tensor by the last of its names only."""
    pairs = _Aliases(tree)
    tree.wrapper.module.visit(pairs)
    found = set(names)
    while new := {other for pair in pairs.found for other in pair if found & set(pair)} - found:
        found |= new
    return frozenset(found)


class _Aliases(cst.CSTVisitor):
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.found: list[tuple[str, str]] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign) and isinstance(node.value, (cst.Name, cst.Attribute)):
            targets = (one.target for one in node.targets if isinstance(one.target, (cst.Name, cst.Attribute)))
            self.found += [(self.tree.code(target), self.tree.code(node.value)) for target in targets]
        return True


KEEPS = frozenset({"append", "appendleft", "extend", "insert", "setdefault", "update", "put", "register_buffer"})
"""Methods of containers and modules that keep what they are given."""


class _HandedOn(cst.CSTVisitor):
    """Places where the bare name is stored or passed to somebody who might store it."""

    def __init__(self, name: str, modules: frozenset[str], besides: cst.CSTNode) -> None:
        self.name, self.modules, self.besides = name, modules, besides
        self.places: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node is self.besides or isinstance(node, (cst.Return, cst.AssignTarget)):
            return False
        if isinstance(node, (cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.Element, cst.DictElement, cst.Yield)):
            self._note(node.value)
        elif isinstance(node, cst.Call) and not self._only_computes(node.func):
            for argument in node.args:
                self._note(argument.value)
        return True

    def _note(self, node: cst.CSTNode | None) -> None:
        if isinstance(node, cst.Name) and node.value == self.name:
            self.places.append(node)

    def _only_computes(self, function: cst.BaseExpression) -> bool:
        """Whether a callee by its form is an op that keeps no reference: `torch.exp`, `x.matmul`, `self.conv`."""
        if isinstance(function, cst.Name):
            return function.value in {"print", "len", "float", "int", "isinstance", "range", "id", "type"}
        if not isinstance(function, cst.Attribute) or function.attr.value in KEEPS:
            return False
        receiver = function.value
        if isinstance(receiver, cst.Name) and receiver.value == "self":
            return function.attr.value in self.modules
        while isinstance(receiver, cst.Attribute):
            receiver = receiver.value
        return not (isinstance(receiver, cst.Name) and receiver.value in {"self", "cls", "super"})


def modules_of_torch(tree: Tree) -> frozenset[str]:
    """The attributes of `self` that hold modules of torch: these keep no reference to what goes through them."""
    finder = _Modules(tree)
    tree.wrapper.module.visit(finder)
    return frozenset(finder.torch - finder.other)


class _Modules(cst.CSTVisitor):
    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        self.torch: set[str] = set()
        self.other: set[str] = set()

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign):
            for one in node.targets:
                if isinstance(one.target, cst.Attribute) and self.tree.code(one.target.value) == "self":
                    names = self.torch if self._is_torch(node.value) else self.other
                    names.add(one.target.attr.value)
        return True

    def _is_torch(self, value: cst.BaseExpression) -> bool:
        return isinstance(value, cst.Call) and self.tree.code(value.func).startswith(("nn.", "torch.nn."))
