"""Collect the rows of a buffer that a loop fills from itself in a list, and `torch.stack` them after the loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Difference, Use, is_number, is_plain_name
from inplace_lsp.fixes.program.codes import SAVED_WRITES
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.rows import RowAccess, find_row_accesses, index_first_dim, read_row_access
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Edit

WARNING = "every value that the loop writes must have the shape and type of a row of the buffer"


@dataclass(frozen=True)
class Buffer:
    """A buffer, the loop that fills it, and every access to it in the loop."""

    name: cst.BaseExpression
    loop: cst.For | cst.While
    accesses: tuple[RowAccess, ...]


def collect_rows_in_list(context: RepairContext) -> Iterator[Candidate]:
    """Repair `buffer[t + 1] = f(buffer[t])` in a loop that accesses the buffer only by rows.

    A list of rows takes the same indices; assigning an item writes no tensor.
    """
    site = context.site
    if site is None or site.torch is None:
        return
    buffers = _find_buffers(site)
    if not buffers or any(buffer.loop is not buffers[0].loop for buffer in buffers):
        return
    tree = site.tree
    before, after = zip(*(_conversion_statements(tree, buffer, site.torch.name) for buffer in buffers), strict=True)
    edits = [*site.torch.edits, *_insert_around(tree, buffers[0].loop, before, after)]
    uses: list[Use] = []
    for buffer in buffers:
        edits += [index_first_dim(tree, row) for row in buffer.accesses if row.dim > 0]
        uses += [Use(tree, write, buffer.name) for write in _row_assignments(tree, buffer.accesses)]
    message = f"Collect the rows in a list: `{'`, `'.join(after)}` after the loop"
    yield Candidate(message, tuple(edits), tuple(uses), (WARNING,), Difference.PASSES)


def _find_buffers(site: Site) -> list[Buffer]:
    """Return the buffers whose rows the statement writes; none unless each can become a list."""
    buffers = [_find_buffer(site, row) for row in _written_rows(site.statement)]
    found = [buffer for buffer in buffers if buffer is not None]
    return found if len(found) == len(buffers) else []


COLLECT_ROWS_IN_LIST = Repair(SAVED_WRITES, collect_rows_in_list)


def _find_buffer(site: Site, row: RowAccess | None) -> Buffer | None:
    if row is None or not is_plain_name(row.node.value) or _is_module_buffer(site.tree, row.node.value):
        return None
    loop = _filling_loop(site.tree, site.statement, row.node.value)
    every = find_row_accesses(site.tree, loop, site.tree.code_of(row.node.value), row.dim) if loop is not None else None
    return Buffer(row.node.value, loop, tuple(every)) if loop is not None and every is not None else None


def _conversion_statements(tree: Tree, buffer: Buffer, torch: str) -> tuple[str, str]:
    """Return the statements that turn the buffer into a list and the list into a tensor."""
    name, dim = tree.code_of(buffer.name), buffer.accesses[0].dim
    if dim == 0:
        return f"{name} = list({name})", f"{name} = {torch}.stack({name})"
    return f"{name} = list({name}.unbind({dim}))", f"{name} = {torch}.stack({name}, dim={dim})"


def _is_module_buffer(tree: Tree, buffer: cst.BaseExpression) -> bool:
    """Return whether a module registers the attribute: it may then hold nothing but a tensor."""
    words = (f'"{buffer.attr.value}"', f"'{buffer.attr.value}'") if isinstance(buffer, cst.Attribute) else ()
    return any(f"({word}" in tree.wrapper.module.code for word in words)


def _written_rows(statement: cst.BaseSmallStatement) -> list[RowAccess | None]:
    """Return the rows that `buffer[t] = value` or `h[t], c[t] = value` writes, None for a target that is no row."""
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1 or is_number(statement.value):
        return []
    target = statement.targets[0].target
    parts = [element.value for element in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    return [read_row_access(part) for part in parts if isinstance(part, cst.Subscript)]


def _filling_loop(tree: Tree, statement: cst.CSTNode, buffer: cst.BaseExpression) -> cst.For | cst.While | None:
    """Return the outermost loop around `statement` in its function that does not rebind the buffer."""
    found = None
    for around in tree.parents_of(statement):
        if isinstance(around, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            break
        if isinstance(around, (cst.For, cst.While)):
            if _is_bound_in(around, buffer):
                break
            found = around
    return found


def _is_bound_in(loop: cst.CSTNode, buffer: cst.BaseExpression) -> bool:
    finder = _BindingFinder(buffer)
    loop.visit(finder)
    return finder.found


class _BindingFinder(cst.CSTVisitor):
    """Finds a binding of `buffer` to another tensor."""

    def __init__(self, buffer: cst.BaseExpression) -> None:
        self.buffer, self.found = buffer, False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)):
            self.found |= node.target.deep_equals(self.buffer)
        elif isinstance(node, cst.Element):
            self.found |= node.value.deep_equals(self.buffer)
        return True


def _row_assignments(tree: Tree, accesses: Iterable[RowAccess]) -> Iterator[cst.CSTNode]:
    """Yield the assignments that have one of the rows among their targets."""
    for access in accesses:
        around = [node for node in tree.parents_of(access.node) if isinstance(node, (cst.AssignTarget, cst.Assign))]
        if around and isinstance(around[0], cst.AssignTarget):
            yield around[1]


def _insert_around(
    tree: Tree, loop: cst.For | cst.While, before: Iterable[str], after: Iterable[str]
) -> Iterator[Edit]:
    """Insert the statements `before` and `after` the loop, each on a line."""
    start = tree.span_of(loop)
    indent = tree.indent_of(start.row, start.column)
    yield insert_at(start.file, start.row, start.column, "".join(f"{statement}\n{indent}" for statement in before))
    row, column = tree.end_of_block(loop)
    yield insert_at(start.file, row, column, "".join(f"\n{indent}{statement}" for statement in after))
