"""Find where a name is handed on without a trace on a tape: `z = y`, `[y]`, `keep(y)`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from inplace_lsp.fixes.program.site import Site, Tree


def rows_handing_on(whole: Tree, tree: Tree, statement: cst.CSTNode, name: str, made: Iterable[int]) -> Iterator[int]:
    """Yield the rows where code other than `statement` may take the tensor that `statement` writes under `name`.

    Only what is handed on before the write matters: later everybody gets the new values. `made` are the rows where the
    written tensor was created; what an assignment there replaced is another tensor, and so is what it hands on itself,
    `x` in `x = self.conv(x)`. A function also hands on what it returns, but then it writes no more.
    """
    function = tree.function_of(statement)
    finder = _HandedOn(name, modules_of_torch(tree), functions_of_torch(whole), statement)
    tree.scope_of(statement).visit(finder)
    bound = _end_of_maker(tree, statement, name, made)
    for node in finder.places:
        place = tree.span_of(node)
        is_other = (place.row, place.column) < bound
        if tree.function_of(node) is not function or not (is_other or comes_after(tree, statement, node)):
            yield place.row


def hands_on(whole: Tree, site: Site, name: str) -> bool:
    """Return whether code other than the statement at the site may take the tensor that it binds to `name`."""
    finder = _HandedOn(name, modules_of_torch(site.tree), functions_of_torch(whole), site.statement)
    site.tree.scope_of(site.statement).visit(finder)
    return bool(finder.places)


def only_computes(whole: Tree, tree: Tree, function: cst.BaseExpression) -> bool:
    """Return whether a callee looks like an op that keeps no reference to what it is given or returns."""
    return _HandedOn("", modules_of_torch(tree), functions_of_torch(whole), function).only_computes(function)


def comes_after(tree: Tree, statement: cst.CSTNode, node: cst.CSTNode) -> bool:
    """Return whether `node`, in the same function, always runs after `statement`: no loop leads back."""
    loops = [ancestor for ancestor in tree.parents_of(statement) if isinstance(ancestor, (cst.For, cst.While))]
    around = list(tree.parents_of(node))
    return tree.span_of(node).row > tree.span_of(statement).end_row and not any(loop in around for loop in loops)


def _end_of_maker(tree: Tree, statement: cst.CSTNode, name: str, made: Iterable[int]) -> tuple[int, int]:
    """Return where the only assignment that creates the tensor ends, on every path to `statement`; (0, 0) without
    one."""
    rows = set(made)
    blocks = [node for node in tree.parents_of(statement) if isinstance(node, (cst.IndentedBlock, cst.Module))]
    lines = [line for block in blocks for line in block.body if isinstance(line, cst.SimpleStatementLine)]
    for small in (small for line in lines for small in line.body if isinstance(small, cst.Assign)):
        span = tree.span_of(small)
        if rows and all(span.row <= row <= span.end_row for row in rows) and name in _bound_names(tree, small):
            return span.end_row, span.end_column
    return 0, 0


def _bound_names(tree: Tree, statement: cst.Assign) -> set[str]:
    targets = [target.target for target in statement.targets]
    tuples = [part.value for target in targets if isinstance(target, (cst.Tuple, cst.List)) for part in target.elements]
    return {tree.code_of(target) for target in (*targets, *tuples)}


def with_aliases(tree: Tree, names: frozenset[str]) -> frozenset[str]:
    """Return `names` and their aliases by `z = y`: a tape keeps only the last name of a tensor."""
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
            targets = (target.target for target in node.targets if isinstance(target.target, (cst.Name, cst.Attribute)))
            self.found += [(self.tree.code_of(target), self.tree.code_of(node.value)) for target in targets]
        return True


PLAIN = frozenset({"print", "len", "float", "int", "isinstance", "range", "id", "type"})
"""Functions of Python that look at what they are given and keep nothing."""

KEEPS = frozenset({"append", "appendleft", "extend", "insert", "setdefault", "update", "put", "register_buffer"})
"""Methods of containers and modules that keep what they are given."""


class _HandedOn(cst.CSTVisitor):
    """Places that store the bare name or pass it to a function that may store it."""

    def __init__(self, name: str, modules: frozenset[str], functions: frozenset[str], besides: cst.CSTNode) -> None:
        self.name, self.modules, self.functions, self.besides = name, modules, functions, besides
        self.places: list[cst.CSTNode] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if node is self.besides or isinstance(node, (cst.Return, cst.AssignTarget)):
            return False
        if isinstance(node, (cst.Assign, cst.AnnAssign, cst.NamedExpr, cst.Element, cst.DictElement, cst.Yield)):
            self._note_place(node.value)
        elif isinstance(node, cst.Call) and not self.only_computes(node.func):
            for argument in node.args:
                self._note_place(argument.value)
        return True

    def _note_place(self, node: cst.CSTNode | None) -> None:
        if isinstance(node, cst.Name) and node.value == self.name:
            self.places.append(node)

    def only_computes(self, function: cst.BaseExpression) -> bool:
        """Return whether a callee looks like an op that keeps no reference: `torch.exp`, `x.matmul`, `self.conv`."""
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
    """Return the functions that the file imports from torch: the graph may save their arguments, they keep none."""
    imports = [node for node in whole.all_nodes() if isinstance(node, cst.ImportFrom)]
    known = [
        imported
        for imported in imports
        if imported.module is not None and whole.code_of(imported.module).split(".")[0] == "torch"
    ]
    aliases = [
        alias for statement in known if not isinstance(statement.names, cst.ImportStar) for alias in statement.names
    ]
    names = (alias.evaluated_alias or alias.evaluated_name for alias in aliases)
    return frozenset(name for name in names if name[:1].islower())  # a class may keep what it is given


def modules_of_torch(tree: Tree) -> frozenset[str]:
    """Return the attributes of `self` that hold modules of torch: these keep no reference to their inputs."""
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
            for target in node.targets:
                if isinstance(target.target, cst.Attribute) and self.tree.code_of(target.target.value) == "self":
                    names = self.torch if self._is_torch(node.value) else self.other
                    names.add(target.target.attr.value)
        return True

    def _is_torch(self, value: cst.BaseExpression) -> bool:
        return isinstance(value, cst.Call) and self.tree.code_of(value.func).startswith(("nn.", "torch.nn."))
