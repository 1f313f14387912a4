"""Where a name is handed on in a way that leaves no trace on a tape: `z = y`, `[y]`, `keep(y)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from inplace_lsp.fixes.program.site import Tree


def handed_on(whole: Tree, tree: Tree, statement: cst.CSTNode, name: str, made: Iterable[int]) -> Iterator[int]:
    """The rows on which somebody besides `statement` may take what `name` holds when `statement` writes it.

    Only what is handed on before the write matters: later everybody gets the new values. `made` are the rows on which
    the written tensor came into being; what an assignment there replaced for good is another tensor. What a function
    returns it hands on too, but then it writes no more.
    """
    function = tree.function_of(statement)
    finder = _HandedOn(name, modules_of_torch(tree), functions_of_torch(whole), statement)
    tree.scope_of(statement).visit(finder)
    first = _row_of_maker(tree, statement, name, made)
    for node in finder.places:
        row = tree.span(node).row
        if tree.function_of(node) is not function or not (row < first or comes_after(tree, statement, node)):
            yield row


def comes_after(tree: Tree, statement: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Whether `node`, of the same function, is only ever reached after `statement`: no loop leads back."""
    loops = [one for one in tree.parents(statement) if isinstance(one, (cst.For, cst.While))]
    around = list(tree.parents(node))
    return tree.span(node).row > tree.span(statement).end_row and not any(one in around for one in loops)


def _row_of_maker(tree: Tree, statement: cst.CSTNode, name: str, made: Iterable[int]) -> int:
    """The row of the one assignment that makes the tensor and is passed on every way to `statement`; 0 without."""
    rows = set(made)
    blocks = [one for one in tree.parents(statement) if isinstance(one, (cst.IndentedBlock, cst.Module))]
    for line in (line for block in blocks for line in block.body if isinstance(line, cst.SimpleStatementLine)):
        span = tree.span(line)
        if rows and all(span.row <= row <= span.end_row for row in rows) and name in _bound_by(tree, line):
            return span.row
    return 0


def _bound_by(tree: Tree, line: cst.SimpleStatementLine) -> set[str]:
    targets = [one.target for small in line.body if isinstance(small, cst.Assign) for one in small.targets]
    tuples = [part.value for one in targets if isinstance(one, (cst.Tuple, cst.List)) for part in one.elements]
    return {tree.code(one) for one in (*targets, *tuples)}


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


PLAIN = frozenset({"print", "len", "float", "int", "isinstance", "range", "id", "type"})
"""Functions of Python that look at what they are given and keep nothing."""

KEEPS = frozenset({"append", "appendleft", "extend", "insert", "setdefault", "update", "put", "register_buffer"})
"""Methods of containers and modules that keep what they are given."""


class _HandedOn(cst.CSTVisitor):
    """Places where the bare name is stored or passed to somebody who might store it."""

    def __init__(self, name: str, modules: frozenset[str], functions: frozenset[str], besides: cst.CSTNode) -> None:
        self.name, self.modules, self.functions, self.besides = name, modules, functions, besides
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
            return function.value in PLAIN or function.value in self.functions
        if not isinstance(function, cst.Attribute) or function.attr.value in KEEPS:
            return False
        receiver = function.value
        if isinstance(receiver, cst.Name) and receiver.value == "self":
            return function.attr.value in self.modules
        while isinstance(receiver, cst.Attribute):
            receiver = receiver.value
        return not (isinstance(receiver, cst.Name) and receiver.value in {"self", "cls", "super"})


def functions_of_torch(whole: Tree) -> frozenset[str]:
    """What the file imports from torch: the graph may save what such a function is given, it keeps nothing itself."""
    imports = [one for one in whole.every() if isinstance(one, cst.ImportFrom)]
    known = [one for one in imports if one.module is not None and whole.code(one.module).split(".")[0] == "torch"]
    aliases = [alias for one in known if not isinstance(one.names, cst.ImportStar) for alias in one.names]
    names = (alias.evaluated_alias or alias.evaluated_name for alias in aliases)
    return frozenset(name for name in names if name[:1].islower())  # a class may keep what it is given


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
