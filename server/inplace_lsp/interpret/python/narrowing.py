"""Narrow the values that a test asks about, on the path taken after it."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.assumed_modules import assume_class
from inplace_lsp.interpret.python.classes import holds_no_tensor
from inplace_lsp.interpret.state.values import Frame, Items, Unknown, Value
from inplace_lsp.source import ir


def narrow_names(machine: Machine, test: ir.Expr, taken: bool, frame: Frame) -> None:
    """Narrow the names in `test` after its outcome `taken`: lists, dicts, numbers and texts are no tensors; torch
    layers hold parameters."""
    if type(test) not in _TELLING:
        return
    for name, kinds in _find_tested_names(test, taken):
        value = frame.look_up(name)
        if isinstance(value, Unknown) and value.tensor is None:
            classes = _list_classes(machine.evaluate(kinds, frame))
            if all(map(holds_no_tensor, classes)):
                value.tensorlike = False
                continue
            found = (assume_class(machine, kind, name) for kind in classes)
            assumed = next((instance for instance in found if instance is not None), None)
            if assumed is not None:
                frame.bind_name(name, assumed)


_TELLING = frozenset((ir.UnaryOp, ir.BoolOp, ir.Call, ir.Compare))
"""The tests that `_find_tested_names` examines."""


def _find_tested_names(test: ir.Expr, taken: bool) -> Iterator[tuple[str, ir.Expr]]:
    """Yield the names that are known to be instances, each with the class or classes."""
    if isinstance(test, ir.UnaryOp) and test.op == "not":
        yield from _find_tested_names(test.operand, not taken)
    elif isinstance(test, ir.BoolOp) and taken == (test.op == "and"):
        yield from _find_tested_names(test.left, taken)
        yield from _find_tested_names(test.right, taken)
    elif taken and isinstance(test, ir.Call):
        yield from _find_isinstance(test)
    elif taken and isinstance(test, ir.Compare) and len(test.rest) == 1:
        yield from _find_type_comparison(test)


def _find_isinstance(test: ir.Call) -> Iterator[tuple[str, ir.Expr]]:
    """Yield the name and the classes of `isinstance(name, classes)`."""
    if isinstance(test.function, ir.Name) and test.function.id == "isinstance" and len(test.arguments) == 2:
        value, kinds = (argument.value for argument in test.arguments)
        if isinstance(value, ir.Name):
            yield value.id, kinds


def _find_type_comparison(test: ir.Compare) -> Iterator[tuple[str, ir.Expr]]:
    """Yield the name and the classes of `type(name) is cls` and `type(name) in classes`."""
    [(op, kinds)] = test.rest
    call = test.left
    if op not in ("is", "==", "in") or not isinstance(call, ir.Call) or not isinstance(call.function, ir.Name):
        return
    given = [argument.value for argument in call.arguments]
    if call.function.id == "type" and len(given) == 1 and isinstance(given[0], ir.Name):
        yield given[0].id, kinds


def _list_classes(classes: Value) -> list[Value]:
    return classes.items if isinstance(classes, Items) else [classes]
