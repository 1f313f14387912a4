"""Rows of a buffer, as a loop names them: `buffer[t]`, `buffer[:, t - 1]`."""

from __future__ import annotations

from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.flow import is_word
from inplace_lsp.fixes.program.integers import Integers
from inplace_lsp.fixes.program.site import Tree
from inplace_lsp.hazards.finding import Edit
from inplace_lsp.tape.model import Span


@dataclass(frozen=True)
class Access:
    """`buffer[:, t]`: its row along `dim`, here 1."""

    node: cst.Subscript
    dim: int
    index: cst.BaseExpression


def row_at(node: cst.Subscript) -> Access | None:
    """`node` as a row; None if it names something else."""
    *front, last = [element.slice for element in node.slice]
    if not isinstance(last, cst.Index) or last.star or not all(_is_whole(one) for one in front):
        return None
    return Access(node, len(front), last.value)


def _is_whole(index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Slice) and index.lower is index.upper is index.step is None


def accesses(tree: Tree, loop: cst.For | cst.While, buffer: str, dim: int) -> list[Access] | None:
    """Every place of the loop that names the buffer; None unless each is one whole row along `dim`, by number."""
    integers = Integers(tree, loop)
    found = []
    for node in tree.within(tree.span(loop)):
        if isinstance(node, (cst.Return, cst.Yield, cst.Lambda, cst.FunctionDef)):
            return None
        if not isinstance(node, (cst.Name, cst.Attribute)) or tree.code(node) != buffer:
            continue
        if is_word(tree, node):
            continue
        parent = tree.parent(node)
        access = row_at(parent) if isinstance(parent, cst.Subscript) and parent.value is node else None
        if access is None or access.dim != dim or not integers.is_integer(access.index):
            return None
        if _is_changed(tree, access.node):
            return None
        found.append(access)
    return found


def _is_changed(tree: Tree, row: cst.Subscript) -> bool:
    """Whether the row is written otherwise than by an assignment to all of it: `buffer[t] += 1`, `buffer[t][0] = 1`."""
    node: cst.CSTNode = row
    parent = tree.parent(node)
    while isinstance(parent, (cst.Subscript, cst.Attribute, cst.Call)):
        if isinstance(parent, cst.Attribute) and parent.attr.value.endswith("_"):
            return True
        node, parent = parent, tree.parent(parent)
    target = isinstance(parent, (cst.AssignTarget, cst.AugAssign, cst.Element)) and not _is_value(parent, node)
    return target and (isinstance(parent, cst.AugAssign) or node is not row)


def _is_value(parent: cst.CSTNode, node: cst.CSTNode) -> bool:
    return isinstance(parent, cst.AugAssign) and parent.value is node


def by_index(tree: Tree, access: Access) -> Edit:
    """`buffer[:, t]` as `buffer[t]`."""
    first, last = tree.span(access.node.slice[0]), tree.span(access.index)
    return Edit("", Span(first.file, first.row, first.column, last.row, last.column))
