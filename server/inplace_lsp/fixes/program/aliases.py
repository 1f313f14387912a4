"""Find the variables that an expression may share memory with, by its form and the op table."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from inplace_lsp.torch_ops.table import find_overloads

NEW = (cst.BinaryOperation, cst.UnaryOperation, cst.Comparison, cst.BaseNumber, cst.BaseString)


def is_new(value: cst.BaseExpression) -> bool:
    """Return whether an expression makes a tensor that nobody else holds: an operator, or a call that returns no
    view."""
    return not isinstance(value, cst.Name) and next(iter(memory_sources(value)), None) is None


def memory_sources(value: cst.BaseExpression) -> Iterator[cst.BaseExpression]:
    """Yield the variables whose memory `value` may share: `y` for `y[0].float()`, none for `model(y)`."""
    if isinstance(value, (cst.Name, cst.Attribute)):
        yield value
    elif isinstance(value, cst.Subscript):
        yield from memory_sources(value.value)
    elif isinstance(value, cst.Call):
        yield from _memory_sources_of_call(value)
    elif isinstance(value, (cst.Tuple, cst.List)):
        for element in value.elements:
            yield from memory_sources(element.value)
    elif isinstance(value, cst.IfExp):
        yield from memory_sources(value.body)
        yield from memory_sources(value.orelse)
    elif not isinstance(value, NEW):
        finder = _Names()
        value.visit(finder)
        yield from finder.found


def _memory_sources_of_call(call: cst.Call) -> Iterator[cst.BaseExpression]:
    name = call.func.attr if isinstance(call.func, cst.Attribute) else call.func
    last = name.value if isinstance(name, cst.Name) else ""
    overloads = [*find_overloads(f"torch.Tensor.{last}"), *find_overloads(f"torch.{last}")]
    if not last.endswith("_") and not any(alias.of != "out" for overload in overloads for alias in overload.aliases):
        return
    for given in [call.func.value] if isinstance(call.func, cst.Attribute) else []:
        yield from memory_sources(given)
    for argument in call.args:
        yield from memory_sources(argument.value)


class _Names(cst.CSTVisitor):
    def __init__(self) -> None:
        self.found: list[cst.BaseExpression] = []

    def on_visit(self, node: cst.CSTNode) -> bool:
        self.found += [node] if isinstance(node, cst.Name) else []
        return True
