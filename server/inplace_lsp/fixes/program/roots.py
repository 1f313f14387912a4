"""Find the tensor that a statement writes: `x` in `x[0] += 1`, but `cache["y"]` if `cache` is a dictionary."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.program.arguments import find_inplace_flag
from inplace_lsp.fixes.program.candidate import is_plain_name, is_torch
from inplace_lsp.fixes.program.site import Site, Tree, callee_name
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import View, Write

VIEW_ATTRIBUTES = frozenset({"data", "T", "mT", "H", "mH", "real", "imag"})

BY_INDEX = "index_put_"
"""The write through a mask or indices, which make no view."""

TUPLES = frozenset(
    {"tuple", "unbind", "split", "chunk", "tensor_split", "hsplit", "vsplit", "dsplit", "split_with_sizes", "meshgrid"}
)
"""Calls that give a tuple."""


def find_written_tensor(
    site: Site, finding: Finding, node: cst.BaseExpression, *, item: bool = False
) -> cst.BaseExpression:
    """Return the expression for the tensor that owns the memory `node` reaches into.

    The tape tells how many steps of `node` are views; the other steps go through containers. `item`: `node` is an
    assignment target, whose last index steps into the tensor even if it makes no view.
    """
    steps = max(_count_steps_to_written(site, finding, item=item), 1 if item else 0)
    while steps > 0 and (inner := _inner_expression(site.tree, node)) is not None:
        node, steps = inner, steps - 1
    return node


def is_rebindable(tree: Tree, node: cst.BaseExpression) -> bool:
    """Return whether an assignment can replace the tensor in `node`: a name, an attribute, an item of a container."""
    if isinstance(node, cst.Subscript):
        simple = is_plain_name(node.value) and len(node.slice) == 1 and _is_simple(node.slice[0].slice)
        return simple and not _is_tuple(tree, node.value)
    return is_plain_name(node)


def _is_tuple(tree: Tree, node: cst.BaseExpression) -> bool:
    """Return whether some assignment in sight makes a tuple of the variable `node`."""
    function = tree.function_of(node)
    made = _AssignedValues(node)
    (function if function is not None else tree.wrapper.module).visit(made)
    return any(isinstance(value, cst.Tuple) or callee_name(value) in TUPLES for value in made.values)


class _AssignedValues(cst.CSTVisitor):
    """Values assigned to `node`."""

    def __init__(self, node: cst.BaseExpression) -> None:
        self.node = node
        self.values: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign) and any(target.target.deep_equals(self.node) for target in node.targets):
            self.values.append(node.value)
        return True


def is_written(tree: Tree, node: cst.CSTNode) -> bool:
    """Return whether the call around `node` writes it: `y[0].add_(1)`, `relu_(y)`, `relu(y, inplace=True)`, `exp(x,
    out=y)`. A copy in its place would be written and lost."""
    for around in tree.parents_of(node):
        if isinstance(around, cst.Arg):
            call = tree.parent_of(around)
            return isinstance(call, cst.Call) and _writes_argument(tree, call, around)
        if isinstance(around, cst.Call) and _is_inplace_method(tree, around):
            return True
        if not isinstance(around, (cst.Attribute, cst.Subscript, cst.Call)):
            return False
    return False


def _is_inplace_method(tree: Tree, call: cst.Call) -> bool:
    function = call.func
    return (
        isinstance(function, cst.Attribute) and function.attr.value.endswith("_") and not is_torch(tree, function.value)
    )


def _writes_argument(tree: Tree, call: cst.Call, argument: cst.Arg) -> bool:
    if argument.keyword is not None:
        return argument.keyword.value == "out"
    named = tree.code_of(call.func).endswith("_") and not _is_inplace_method(tree, call)
    return call.args[0] is argument and (named or find_inplace_flag(tree, call) is not None)


def _is_simple(index: cst.BaseSlice) -> bool:
    return isinstance(index, cst.Index) and _can_be_repeated(index.value)


def _can_be_repeated(value: cst.BaseExpression) -> bool:
    """Return whether an index may be computed twice: a name, a number, a text, or arithmetic with them."""
    if isinstance(value, cst.BinaryOperation):
        return _can_be_repeated(value.left) and _can_be_repeated(value.right)
    if isinstance(value, cst.UnaryOperation):
        return _can_be_repeated(value.expression)
    return isinstance(value, (cst.Name, cst.Integer, cst.SimpleString))


def _inner_expression(tree: Tree, node: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(node, cst.Subscript) or (isinstance(node, cst.Attribute) and node.attr.value in VIEW_ATTRIBUTES):
        return node.value
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        if is_torch(tree, node.func.value):
            return node.args[0].value if node.args and not node.args[0].star else None
        return node.func.value
    return None


def _count_steps_to_written(site: Site, finding: Finding, *, item: bool) -> int:
    """Count the views that the statement makes, one of the other, to reach what it writes; the index of an `item` that
    makes no view is a step, too."""
    row = site.tree.span_of(site.statement).row
    sources = {
        event.tensor.id: event.of.id for event in finding.story if isinstance(event, View) and event.span.row == row
    }
    writes = [event for event in finding.story if isinstance(event, Write) and event.span.row == row]
    return max(
        (_count_views(sources, write.tensor.id) + (item and write.op == BY_INDEX) for write in writes), default=0
    )


def _count_views(sources: dict[int, int], tensor: int) -> int:
    """Count the views from a tensor back to what no view made."""
    steps = 0
    while tensor in sources and steps < len(sources):
        tensor, steps = sources[tensor], steps + 1
    return steps
