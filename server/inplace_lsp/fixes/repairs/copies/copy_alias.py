"""Copy a second name for a tensor, or a view of it, where it is bound, before it is written."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, Use, shorten_to_line
from inplace_lsp.fixes.program.codes import SAVED_WRITES
from inplace_lsp.fixes.program.flow import binding_of
from inplace_lsp.fixes.program.later_reads import is_read_after
from inplace_lsp.fixes.program.precedence import is_closed
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.fixes.program.written import copy_method, find_written_names
from inplace_lsp.hazards.edits import insert_at
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import View


def copy_alias(context: RepairContext) -> Iterator[Candidate]:
    """Repair IP101 and IP301: turn `target = q.detach()`, the written name's last binding, into
    `q.detach().clone()`."""
    site, finding = context.site, context.finding
    if site is None:
        return
    for written in find_written_names(site, finding):
        maker = _last_assignment(site, written) if isinstance(written, cst.Name) else None
        if maker is None or not _is_alias(site.tree, finding, maker):
            continue
        if is_read_after(site.tree, site.statement, site.tree.code_of(written)):  # else nobody would see the write
            yield _copy_at_binding(site, finding, maker, written)
            return


def _copy_at_binding(site: Site, finding: Finding, maker: cst.Assign, written: cst.BaseExpression) -> Candidate:
    tree, method = site.tree, copy_method(finding)
    end = tree.span_of(maker.value)
    edit = insert_at(end.file, *tree.end_with_parentheses(maker.value), f".{method}()")
    message = f"{tree.code_of(written)} = {tree.code_of(maker.value)}.{method}()"
    base_node = _base_expression(maker.value)
    base = tree.code_of(base_node)
    gone = isinstance(base_node, cst.Name) and not is_read_after(tree, maker, base)
    uses = (Use(tree, site.statement, written, gone=(base,)),) if gone else ()
    warnings = () if gone else (f"`{shorten_to_line(base)}` keeps the old values",)
    return Candidate(f"Make a copy on line {end.row}: `{shorten_to_line(message)}`", (edit,), uses, warnings)


COPY_ALIAS = Repair(SAVED_WRITES, copy_alias)


def _last_assignment(site: Site, written: cst.Name) -> cst.Assign | None:
    """Return the last assignment to the name before the write, if every path to the write passes it."""
    last = max(_find_bindings_before(site, written), key=lambda node: site.tree.span_of(node).row, default=None)
    if not isinstance(last, cst.Assign) or len(last.targets) != 1:
        return None
    line = site.tree.parent_of(last)
    blocks = site.tree.parents_of(site.statement)
    passed = any(line in block.body for block in blocks if isinstance(block, (cst.IndentedBlock, cst.Module)))
    return last if line is not None and passed else None


def _find_bindings_before(site: Site, name: cst.Name) -> Iterator[cst.CSTNode]:
    row = site.tree.span_of(site.statement).row
    for node in site.tree.nodes_within(site.tree.span_of(site.tree.scope_of(site.statement))):
        if isinstance(node, cst.Name) and node.value == name.value and site.tree.span_of(node).row < row:
            binding = binding_of(site.tree, node)
            if binding is not None:
                yield binding


def _is_alias(tree: Tree, finding: Finding, maker: cst.Assign) -> bool:
    if not isinstance(maker.targets[0].target, cst.Name):
        return False
    span = tree.span_of(maker)
    views = [event for event in finding.story if isinstance(event, View) and event.span.row == span.row]
    plain = isinstance(maker.value, (cst.Name, cst.Attribute))
    return plain or (bool(views) and is_closed(maker.value))


def _base_expression(value: cst.BaseExpression) -> cst.BaseExpression:
    """Return `q` of `q.detach()[0]`."""
    while isinstance(value, (cst.Call, cst.Subscript)):
        inner = value.func if isinstance(value, cst.Call) else value.value
        value = inner.value if isinstance(inner, cst.Attribute) and isinstance(value, cst.Call) else inner
        if isinstance(inner, cst.Name):
            break
    return value
