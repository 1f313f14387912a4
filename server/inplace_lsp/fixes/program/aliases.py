"""Which variables an expression may share memory with, by its form and the op table."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.torch_ops.table import find

NEW = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.BaseNumber, cst.BaseString)


def is_new(value: cst.BaseExpression) -> bool:
    """Whether an expression makes a tensor that nobody else holds: an operator, a call that gives no view."""
    return not isinstance(value, cst.Name) and next(iter(shared(value)), None) is None


def shared(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """The variables in `value` whose memory it may share: `y` of `y[0].float()`, none of `model(y)`."""
    if isinstance(value, (cst.Name, cst.Attribute)):
        yield value
    elif isinstance(value, cst.Subscript):
        yield from shared(value.value)
    elif isinstance(value, cst.Call):
        yield from _shared_by_call(value)
    elif isinstance(value, (cst.Tuple, cst.List)):
        for element in value.elements:
            yield from shared(element.value)
    elif isinstance(value, cst.IfExp):
        yield from shared(value.body)
        yield from shared(value.orelse)
    elif not isinstance(value, NEW):
        finder = _Names()
        value.visit(finder)
        yield from finder.found


def _shared_by_call(call: cst.Call) -> Iterator[cst.BaseExpression]:
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    last = name.value if isinstance(name, cst.Name) else ""
    overloads = [*find(f"torch.Tensor.{last}"), *find(f"torch.{last}")]
    if not last.endswith("_") and not any(alias.of != "out" for one in overloads for alias in one.aliases):
        return
    for given in [call.func.value] if isinstance(call.func, cst.Attribute) else []:
        yield from shared(given)
    for argument in call.args:
        yield from shared(argument.value)


class _Names(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.found += [node] if isinstance(node, cst.Name) else []
        return True
