"""`x[x < 0] = 0` as `x = x.masked_fill(x < 0, 0)`."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.fixes.program.candidate import Candidate, is_number, is_plain, no_leaf, one_line, replace_node, use
from inplace_lsp.fixes.program.site import Site
from inplace_lsp.fixes.program.written import is_array
from inplace_lsp.hazards.finding import Finding

TESTS = frozenset({"isnan", "isinf", "isfinite", "isneginf", "isposinf", "logical_not", "abs"})


def masked_fill(site: Site, finding: Finding) -> Iterator[Candidate]:
    """Where the index is by its form or name a mask, and the value a number. Safe only for a mask of the whole of `x`.

    A mask of fewer dimensions selects rows in an index but is broadcast from the right in `masked_fill`.
    """
    statement = site.statement
    if not isinstance(statement, cst.Assign) or len(statement.targets) != 1 or not is_number(statement.value):
        return
    target = statement.targets[0].target
    mask = _only_index(target)
    if not isinstance(target, cst.Subscript) or mask is None or not is_plain(target.value):
        return
    name = site.tree.code(target.value)
    certain = _is_mask_of(site, mask, name)
    if is_array(finding) or not (certain or (finding.code == "IP101" and _seems_a_mask(mask))):
        return
    content = f"{name} = {name}.masked_fill({site.tree.code(mask)}, {site.tree.code(statement.value)})"
    message = f"Write out of place: `{one_line(content)}`"
    doubt = () if certain else (f"the mask must have the shape of `{name}`",)
    warnings = (*no_leaf(finding, name), *doubt)
    yield Candidate(message, (replace_node(site, statement, content),), use(site, target.value), warnings)


def _only_index(target: cst.BaseExpression) -> cst.BaseExpression | None:
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return None
    index = target.slice[0].slice
    return index.value if isinstance(index, cst.Index) and not index.star else None


def _is_mask_of(site: Site, node: cst.BaseExpression, name: str) -> bool:
    """A comparison of `name` itself (or of `name.abs()`) with anything, and what `~`, `&`, `|` make of such."""
    if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        comparison = node.comparisons[0]
        elementwise = not isinstance(comparison.operator, (cst.In, cst.NotIn, cst.Is, cst.IsNot))
        return elementwise and any(_is_elementwise(site, one, name) for one in (node.left, comparison.comparator))
    if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.BitInvert):
        return _is_mask_of(site, node.expression, name)
    if isinstance(node, cst.BinaryOperation) and isinstance(node.operator, (cst.BitAnd, cst.BitOr)):
        return _is_mask_of(site, node.left, name) and _is_mask_of(site, node.right, name)
    return isinstance(node, cst.Call) and _test(node) != "abs" and _is_elementwise(site, node, name)


def _seems_a_mask(node: cst.BaseExpression) -> bool:
    """A comparison, what `~`, `&`, `|` make of masks, a name that says so."""
    if isinstance(node, cst.UnaryOperation):
        return isinstance(node.operator, cst.BitInvert) and _seems_a_mask(node.expression)
    if isinstance(node, cst.BinaryOperation):
        both = isinstance(node.operator, (cst.BitAnd, cst.BitOr))
        return both and _seems_a_mask(node.left) and _seems_a_mask(node.right)
    name = node.attr if isinstance(node, cst.Attribute) else node
    return isinstance(node, cst.Comparison) or (isinstance(name, cst.Name) and "mask" in name.value.lower())


def _is_elementwise(site: Site, node: cst.BaseExpression, name: str) -> bool:
    """`x`, `x.abs()`, `torch.isnan(x)`: of the shape of `x`."""
    if site.tree.code(node) == name:
        return True
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute) or _test(node) not in TESTS:
        return False
    operand = node.args[0].value if len(node.args) == 1 else node.func.value if not node.args else None
    return operand is not None and site.tree.code(operand) == name


def _test(call: cst.Call) -> str:
    return call.func.attr.value if isinstance(call.func, cst.Attribute) else ""
