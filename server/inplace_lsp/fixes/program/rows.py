"""Rows of a buffer as a loop spells them: `buffer[t]`, `buffer[:, t - 1]`."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.flow import is_no_variable
from inplace_lsp.fixes.program.integers import Integers
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class RowAccess:
    """An access `buffer[:, t]` to a row along `dim`, here 1."""

    node: cst.Subscript
    dim: int
    index: cst.BaseExpression


def read_row_access(node: cst.Subscript) -> RowAccess | None:
    """Return `node` as a row access; None if it is something else."""
    *front, last = [element.slice for element in node.slice]
    if not isinstance(last, cst.Index) or last.star or not all(_is_whole(index) for index in front):
        return None
    return RowAccess(node, len(front), last.value)


def _is_whole(index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Slice) and index.lower is index.upper is index.step is None


def find_row_accesses(tree: Tree, loop: cst.For | cst.While, buffer: str, dim: int) -> list[RowAccess] | None:
    """Return every access to the buffer in the loop; None unless each is a whole row along `dim`, by number."""
    integers = Integers(tree, loop)
    found = []
    for node in tree.nodes_within(tree.span_of(loop)):
        if isinstance(node, (cst.Return, cst.Yield, cst.Lambda, cst.FunctionDef)):
            return None
        if not isinstance(node, (cst.Name, cst.Attribute)) or tree.code_of(node) != buffer:
            continue
        if is_no_variable(tree, node):
            continue
        access = _find_access_of(tree, node)
        if access is None or access.dim != dim or not integers.is_integer(access.index):
            return None
        found.append(access)
    return found


def _find_access_of(tree: Tree, buffer: cst.BaseExpression) -> RowAccess | None:
    """Return the access to a whole row whose buffer this is."""
    parent = tree.parent_of(buffer)
    if not isinstance(parent, cst.Subscript) or parent.value is not buffer:
        return None
    access = read_row_access(parent)
    return None if access is None or _is_partly_written(tree, access.node) else access


def _is_partly_written(tree: Tree, row: cst.Subscript) -> bool:
    """Return whether the row is written other than by assigning all of it: `buffer[t] += 1`, `buffer[t][0] = 1`."""
    node: cst.CSTNode = row
    parent = tree.parent_of(node)
    while isinstance(parent, (cst.Subscript, cst.Attribute, cst.Call)):
        if isinstance(parent, cst.Attribute) and parent.attr.value.endswith("_"):
            return True
        node, parent = parent, tree.parent_of(parent)
    target = isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Element)) and not _is_value(parent, node)
    return target and (isinstance(parent, cst.AugAssign) or node is not row)


def _is_value(parent: cst.CSTNode, node: cst.CSTNode) -> bool:
    return isinstance(parent, cst.AugAssign) and parent.value is node


def index_first_dim(tree: Tree, access: RowAccess) -> Edit:
    """Rewrite `buffer[:, t]` as `buffer[t]`."""
    first, last = tree.span_of(access.node.slice[0]), tree.span_of(access.index)
    return Edit("", Span(first.file, first.row, first.column, last.row, last.column))
