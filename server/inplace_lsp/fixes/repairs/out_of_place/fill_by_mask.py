"""Rewrite `x[x < 0] = 0` as `x = x.masked_fill(x < 0, 0)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import (
    Candidate,
    is_number,
    rebind_at,
    replace_node,
    shorten_to_line,
    warn_about_leaf,
)
from inplace_lsp.fixes.program.codes import REPAIRABLE
from inplace_lsp.fixes.program.repair import Repair, RepairContext
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.program.written import is_numpy_array, read_item_assignment

TESTS = frozenset({"isnan", "isinf", "isfinite", "isneginf", "isposinf", "logical_not", "abs"})


def fill_by_mask(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write of a number where the index is a mask of all of `x` by its form."""
    return _fill_by_mask(context, certain=True)


def fill_by_likely_mask(context: RepairContext) -> Iterator[Candidate]:
    """Repair a write of a number where the index looks like a mask.

    A mask of fewer dimensions selects rows in an index but is broadcast from the right in `masked_fill`.
    """
    return _fill_by_mask(context, certain=False)


FILL_BY_MASK = Repair(REPAIRABLE, fill_by_mask)
FILL_BY_LIKELY_MASK = Repair(frozenset({"IP101"}), fill_by_likely_mask)


def _fill_by_mask(context: RepairContext, *, certain: bool) -> Iterator[Candidate]:
    site, finding = context.site, context.finding
    written = read_item_assignment(site)
    if site is None or written is None or not is_number(written.statement.value):
        return
    name, mask = site.tree.code_of(written.target.value), _only_index(written.target)
    if mask is None or is_numpy_array(finding) or _is_mask_of(site, mask, name) is not certain:
        return
    if not certain and not _looks_like_mask(mask):
        return
    content = f"{name} = {name}.masked_fill({site.tree.code_of(mask)}, {site.tree.code_of(written.statement.value)})"
    message = f"Write out of place: `{shorten_to_line(content)}`"
    doubt = () if certain else (f"the mask must have the shape of `{name}`",)
    warnings = (*warn_about_leaf(finding, name), *doubt)
    edit = replace_node(site, written.statement, content)
    yield Candidate(message, (edit,), rebind_at(site, written.target.value), warnings)


def _only_index(target: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return None
    index = target.slice[0].slice
    return index.value if isinstance(index, cst.Index) and not index.star else None


def _is_mask_of(site: Site, node: cst.BaseExpression, name: str) -> bool:
    """Return whether `node` compares `name` (or `name.abs()`) with anything, or combines such masks with `~`, `&`,
    `|`."""
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        return _compares_elements(site, node.left, node.comparisons[0], name)
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.BitInvert):
        return _is_mask_of(site, node.expression, name)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.BitAnd, cst.BitOr)):
        return _is_mask_of(site, node.left, name) and _is_mask_of(site, node.right, name)
    return isinstance(node, cst.Call) and _method_name(node) != "abs" and _is_elementwise(site, node, name)


def _compares_elements(site: Site, left: cst.BaseExpression, comparison: cst.ComparisonTarget, name: str) -> bool:
    if isinstance(comparison.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot)):
        return False
    return _is_elementwise(site, left, name) or _is_elementwise(site, comparison.comparator, name)


def _looks_like_mask(node: cst.BaseExpression) -> bool:
    """Return whether `node` is a comparison, a combination of masks with `~`, `&`, `|`, or a name that says mask."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.BitInvert) and _looks_like_mask(node.expression)
    if isinstance(node, cst.BinaryOperation):
        both = isinstance(node.operator, (cst.BitAnd, cst.BitOr))
        return both and _looks_like_mask(node.left) and _looks_like_mask(node.right)
    name = node.attr if isinstance(node, cst.Attribute) else node
    return isinstance(node, cst.Comparison) or (isinstance(name, cst.Name) and "mask" in name.value.lower())


def _is_elementwise(site: Site, node: cst.BaseExpression, name: str) -> bool:
    """Return whether `node` has the shape of `x` by its form: `x`, `x.abs()`, `torch.isnan(x)`."""
    if site.tree.code_of(node) == name:
        return True
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or _method_name(node) not in TESTS:
        return False
    operand = node.args[0].value if len(node.args) == 1 else node.func.value if not node.args else None
    return operand is not None and site.tree.code_of(operand) == name


def _method_name(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
