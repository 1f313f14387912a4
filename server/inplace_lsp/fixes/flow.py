"""Which variables a block reads before it binds them: what it takes over from the round, or the call, before."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.candidate import is_plain
from inplace_lsp.fixes.site import Tree

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
