"""What a test says of the values it asks about, on the way that is taken after it."""

from __future__ import annotations

from collections.abc import Iterator

from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.python.assumed_modules import assume_class
from inplace_lsp.interpret.python.classes import python_class
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.values import Items, Unknown, Value
from inplace_lsp.source import ir


def narrow(machine: Machine, test: ir.Expr, taken: bool, frame: Frame) -> None:
    """After `test` came out as `taken`: what is a list, a dict, a number or a text is no tensor; what is a layer of
    torch's holds parameters."""
    if type(test) not in _TELLING:
        return
    for name, kinds in _types(test, taken):
        value = frame.lookup(name)
        if isinstance(value, Unknown) and value.tensor is None:
            classes = _parts(machine.evaluate(kinds, frame))
            if all(python_class(one) is not None for one in classes):
                value.tensorlike = False
                continue
            found = (assume_class(machine, one, name) for one in classes)
            assumed = next((one for one in found if one is not None), None)
            if assumed is not None:
                frame.bind(name, assumed)


_TELLING = frozenset((ir.UnaryOp, ir.BoolOp, ir.Call, ir.Compare))
"""The tests that `_types` looks at."""


def _types(test: ir.Expr, taken: bool) -> Iterator[tuple[str, ir.Expr]]:
    """The names that are then of a class, each with the class or classes."""
    if isinstance(test, ir.UnaryOp) and test.op == "not":
        yield from _types(test.operand, not taken)
    elif isinstance(test, ir.BoolOp) and taken == (test.op == "and"):
        yield from _types(test.left, taken)
        yield from _types(test.right, taken)
    elif taken and isinstance(test, ir.Call) and isinstance(test.function, ir.Name) and len(test.arguments) == 2:
        value, kinds = (argument.value for argument in test.arguments)
        if test.function.id == "isinstance" and isinstance(value, ir.Name):
            yield value.id, kinds
    elif taken and isinstance(test, ir.Compare) and isinstance(test.left, ir.Call) and len(test.rest) == 1:
        [(op, kinds)] = test.rest
        given = [argument.value for argument in test.left.arguments]
        is_type = isinstance(test.left.function, ir.Name) and test.left.function.id == "type"
        if is_type and op in ("is", "==", "in") and len(given) == 1 and isinstance(given[0], ir.Name):
            yield given[0].id, kinds


def _parts(classes: Value) -> list[Value]:
    return classes.items if isinstance(classes, Items) else [classes]
