"""Which variables a block reads before it binds them: what it takes over from the round, or the call, before."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import is_plain
from inplace_lsp.fixes.program.site import Tree

Position = tuple[int, int]


def taken_over(tree: Tree, block: cst.CSTNode) -> list[str]:
    """The names and attributes that `block` reads first and binds later, in the order in which it binds them."""
    reads, writes = uses(tree, block)
    first = {name: min(places) for name, places in reads.items()}
    return [name for name, places in writes.items() if name in first and first[name] < min(places)]


def uses(tree: Tree, block: cst.CSTNode) -> tuple[dict[str, list[Position]], dict[str, list[Position]]]:
    """Where `block` reads its variables, and where it binds them: at the end of the statement that does."""
    reads: dict[str, list[Position]] = {}
    writes: dict[str, list[Position]] = {}
    for node in tree.within(tree.span(block)):
        if not isinstance(node, (cst.Name, cst.Attribute)) or not is_plain(node):
            continue
        statement = binding_of(tree, node)
        span = tree.span(node)
        if statement is None:
            reads.setdefault(tree.code(node), []).append((span.row, span.column))
            continue
        if isinstance(statement, cst.AugAssign):
            reads.setdefault(tree.code(node), []).append((span.row, span.column))
        end = tree.span(statement)
        writes.setdefault(tree.code(node), []).append((end.end_row, end.end_column))
    return reads, writes


def is_read_after(tree: Tree, statement: cst.CSTNode, name: str) -> bool:
    """Whether somebody may read the variable `name` once `statement` has bound it: further down, in the next round of a
    loop that does not bind it anew, or in a function that knows it from outside."""
    function = tree.function_of(statement)
    end = tree.span(statement)
    loops = [one for one in tree.parents(statement) if isinstance(one, (cst.For, cst.While))]
    again = [one for one in loops if not (isinstance(one, cst.For) and _names(one.target, name))]
    for node in tree.within(tree.span(tree.scope_of(statement))):
        if isinstance(node, (cst.Global, cst.Nonlocal)):
            return True
        if not isinstance(node, cst.Name) or node.value != name or _is_no_read(tree, node):
            continue
        span = tree.span(node)
        later = (span.row, span.column) >= (end.end_row, end.end_column)
        if later or tree.function_of(node) is not function or any(one in again for one in tree.parents(node)):
            return True
    return False


def _names(target: cst.BaseExpression, name: str) -> bool:
    parts = [one.value for one in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    return any(isinstance(one, cst.Name) and one.value == name for one in parts)


def _is_no_read(tree: Tree, node: cst.Name) -> bool:
    """A target that is bound, or no variable at all."""
    if is_word(tree, node):
        return True
    binding = binding_of(tree, node)
    return binding is not None and not isinstance(binding, cst.AugAssign)


def is_word(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether `node` is a name, but no variable: `x.name`, `f(name=1)`."""
    parent = tree.parent(node)
    attribute = isinstance(parent, cst.Attribute) and parent.attr is node
    return attribute or (isinstance(parent, cst.Arg) and parent.keyword is node)


def binding_of(tree: Tree, node: cst.CSTNode) -> cst.CSTNode | None:
    """The statement that binds the variable `node`, if it stands where variables are bound."""
    parent = tree.parent(node)
    if isinstance(parent, cst.Element):
        around = list(_targets(tree, parent))
        return tree.parent(around[-1]) if around and isinstance(around[-1], cst.AssignTarget) else None
    if isinstance(parent, cst.AssignTarget):
        return tree.parent(parent)
    bound = isinstance(parent, (cst.AugAssign, cst.AnnAssign, cst.NamedExpr)) and parent.target is node
    return parent if bound else None


def _targets(tree: Tree, element: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """The tuples round an element of a target, and the target."""
    for around in tree.parents(element):
        yield around
        if not isinstance(around, (cst.Tuple, cst.List, cst.Element)):
            return
