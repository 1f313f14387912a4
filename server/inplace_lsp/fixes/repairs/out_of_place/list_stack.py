"""A buffer that a loop fills from itself: rows in a list, and `torch.stack` behind the loop."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Use, is_number, is_plain
from inplace_lsp.fixes.program.edits import insertion
from inplace_lsp.fixes.program.rows import Access, accesses, by_index, row_at
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.finding import Edit, Finding

WARNING = "every value that the loop writes must have the shape and type of a row of the buffer"


@dataclass(frozen=True)
class Buffer:
    """A buffer with the loop that fills it, and every place of the loop that names it."""

    name: cst.BaseExpression
    loop: cst.For | cst.While
    accesses: tuple[Access, ...]


def list_stack(site: Site, finding: Finding) -> Iterator[Candidate]:
    """For `buffer[t + 1] = f(buffer[t])` in a loop that touches the buffer only row by row.

    A list of the rows takes the same indices; an assignment puts a new tensor into it and writes none.
    """
    if finding.code not in {"IP101", "IP301"} or site.torch is None:
        return
    buffers = [_buffer(site, row) for row in _written_rows(site.statement)]
    found = [one for one in buffers if one is not None]
    if not found or len(found) < len(buffers) or any(one.loop is not found[0].loop for one in found):
        return
    before, after = zip(*(_statements(site.tree, one, site.torch.name) for one in found), strict=True)
    edits = [
        *site.torch.edits,
        *_around(site.tree, found[0].loop, before, after),
        *(by_index(site.tree, row) for one in found for row in one.accesses if row.dim > 0),
    ]
    uses = tuple(Use(site.tree, write, one.name) for one in found for write in _writes(site.tree, one.accesses))
    message = f"Collect the rows in a list: `{'`, `'.join(after)}` behind the loop"
    yield Candidate(message, tuple(edits), uses, (WARNING,))


def _buffer(site: Site, row: Access | None) -> Buffer | None:
    if row is None or not is_plain(row.node.value) or _is_registered(site.tree, row.node.value):
        return None
    loop = _loop(site.tree, site.statement, row.node.value)
    every = accesses(site.tree, loop, site.tree.code(row.node.value), row.dim) if loop is not None else None
    return Buffer(row.node.value, loop, tuple(every)) if loop is not None and every is not None else None


def _statements(tree: Tree, buffer: Buffer, torch: str) -> tuple[str, str]:
    """What makes a list of the buffer, and a tensor of the list."""
    name, dim = tree.code(buffer.name), buffer.accesses[0].dim
    if dim == 0:
        return f"{name} = list({name})", f"{name} = {torch}.stack({name})"
    return f"{name} = list({name}.unbind({dim}))", f"{name} = {torch}.stack({name}, dim={dim})"


def _is_registered(tree: Tree, buffer: cst.BaseExpression) -> bool:
    """Whether a module knows the attribute as its own: it then may hold nothing but a tensor."""
    words = (f'"{buffer.attr.value}"', f"'{buffer.attr.value}'") if isinstance(buffer, cst.Attribute) else ()
    return any(f"({word}" in tree.wrapper.module.code for word in words)


def _written_rows(statement: cst.BaseSmallStatement) -> list[Access | None]:
    """The rows that `buffer[t] = value` or `h[t], c[t] = value` writes, None for those that are no rows."""
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1 or is_number(statement.value):
        return []
    target = statement.targets[0].target
    parts = [one.value for one in target.elements] if isinstance(target, (cst.Tuple, cst.List)) else [target]
    return [row_at(one) for one in parts if isinstance(one, cst.Subscript)]


def _loop(tree: Tree, statement: cst.CSTNode, buffer: cst.BaseExpression) -> cst.For | cst.While | None:
    """The outermost loop round `statement` in its function in which the buffer itself is not made anew."""
    found = None
    for around in tree.parents(statement):
        if isinstance(around, (cst.FunctionDef, cst.ClassDef, cst.Lambda)):
            break
        if isinstance(around, (cst.For, cst.While)):
            if _is_bound_in(around, buffer):
                break
            found = around
    return found


def _is_bound_in(loop: cst.CSTNode, buffer: cst.BaseExpression) -> bool:
    finder = _Bindings(buffer)
    loop.visit(finder)
    return finder.found


class _Bindings(cst.CSTVisitor):
    """Looks for something that gives `buffer` another tensor."""

    def __init__(self, buffer: cst.BaseExpression) -> None:
        self.buffer, self.found = buffer, False

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, (cst.AssignTarget, cst.AnnAssign, cst.AugAssign, cst.For, cst.NamedExpr)):
            self.found |= node.target.deep_equals(self.buffer)
        elif isinstance(node, cst.Element):
            self.found |= node.value.deep_equals(self.buffer)
        return True


def _writes(tree: Tree, accesses: Iterable[Access]) -> Iterator[cst.CSTNode]:
    """The assignments that have one of the rows among their targets."""
    for access in accesses:
        around = [one for one in tree.parents(access.node) if isinstance(one, (cst.AssignTarget, cst.Assign))]
        if around and isinstance(around[0], cst.AssignTarget):
            yield around[1]


def _around(tree: Tree, loop: cst.For | cst.While, before: Iterable[str], after: Iterable[str]) -> Iterator[Edit]:
    """The statements `before` in front of the loop, each on a line, and `after` behind it."""
    start = tree.span(loop)
    indent = tree.indent_of(start.row, start.column)
    yield insertion(start.file, start.row, start.column, "".join(f"{one}\n{indent}" for one in before))
    row, column = tree.last_of(loop)
    yield insertion(start.file, row, column, "".join(f"\n{indent}{one}" for one in after))
