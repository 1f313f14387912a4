"""What a writing statement reaches into: `x` of `x[0] += 1`, but `cache["y"]` where `cache` is a dictionary."""

from __future__ import annotations

import libcst as cst

from inplace_lsp.fixes.program.arguments import inplace_flag
from inplace_lsp.fixes.program.candidate import is_plain, is_torch
from inplace_lsp.fixes.program.site import Site, Tree
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import View, Write

VIEW_ATTRIBUTES = frozenset({"data", "T", "mT", "H", "mH", "real", "imag"})


TUPLES = frozenset(
    {"tuple", "unbind", "split", "chunk", "tensor_split", "hsplit", "vsplit", "dsplit", "split_with_sizes", "meshgrid"}
)
"""Calls that give a tuple."""


def tensor_at(site: Site, finding: Finding, node: cst.BaseExpression, *, item: bool = False) -> cst.BaseExpression:
    """The expression for the tensor whose memory `node` reaches into.

    The tape tells how many steps of `node` are views; the others lead through containers. `item`: `node` is the target
    of an assignment, whose last index is a step into the tensor whether it makes a view or not.
    """
    steps = max(_views(site, finding), 1 if item else 0)
    while steps > 0 and (inner := _step(node)) is not None:
        node, steps = inner, steps - 1
    return node


def is_rebindable(tree: Tree, node: cst.BaseExpression) -> bool:
    """Whether an assignment can give `node` another tensor: a name, an attribute, a place in a container."""
    if isinstance(node, cst.Subscript):
        simple = is_plain(node.value) and len(node.slice) == 1 and _is_simple(node.slice[0].slice)
        return simple and not _is_tuple(tree, node.value)
    return is_plain(node)


def _is_tuple(tree: Tree, node: cst.BaseExpression) -> bool:
    """Whether some assignment in sight makes a tuple of the variable `node`."""
    function = tree.function_of(node)
    made = _Made(node)
    (function if function is not None else tree.wrapper.module).visit(made)
    return any(isinstance(value, cst.Tuple) or _last_name(value) in TUPLES for value in made.values)


def _last_name(value: cst.BaseExpression) -> str:
    function = value.func if isinstance(value, cst.Call) else None
    name = function.attr if isinstance(function, cst.Attribute) else function
    return name.value if isinstance(name, cst.Name) else ""


class _Made(cst.CSTVisitor):
    """What is assigned to `node`."""

    def __init__(self, node: cst.BaseExpression) -> None:
        self.node = node
        self.values: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        if isinstance(node, cst.Assign) and any(one.target.deep_equals(self.node) for one in node.targets):
            self.values.append(node.value)
        return True


def is_written(tree: Tree, node: cst.CSTNode) -> bool:
    """Whether an expression that `node` begins is written by a call round it: `y` of `y[0].add_(1)`, `relu_(y)`,
    `relu(y, inplace=True)` and `exp(x, out=y)`. A copy of it in its place would be written and lost."""
    for around in tree.parents(node):
        if isinstance(around, cst.Arg):
            call = tree.parent(around)
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
    named = tree.code(call.func).endswith("_") and not _is_inplace_method(tree, call)
    return call.args[0] is argument and (named or inplace_flag(tree, call) is not None)


def _is_simple(index: cst.BaseSlice) -> bool:
    value = index.value if isinstance(index, cst.Index) else None
    if isinstance(value, cst.UnaryOperation):
        value = value.expression
    return isinstance(value, (cst.Name, cst.Integer, cst.SimpleString))


def _step(node: cst.BaseExpression) -> cst.BaseExpression | None:
    if isinstance(node, cst.Subscript) or (isinstance(node, cst.Attribute) and node.attr.value in VIEW_ATTRIBUTES):
        return node.value
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        return node.func.value
    return None


def _views(site: Site, finding: Finding) -> int:
    """The views that the statement makes of the memory it writes."""
    row = site.tree.span(site.statement).row
    storages = {one.tensor.storage for one in finding.story if isinstance(one, Write) and one.span.row == row}
    made = {
        (one.tensor.id, one.op)
        for one in finding.story
        if isinstance(one, View) and one.span.row == row and one.tensor.storage in storages
    }
    rounds = sum(1 for one in finding.story if isinstance(one, Write) and one.span.row == row) or 1
    return -(-len(made) // rounds)
