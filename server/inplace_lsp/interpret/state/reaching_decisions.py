"""The decisions on which the values of variables and attributes depend: they decide later tests of them, too.

`grid = Grid() if args.hash else None`, and lines below `if grid is None:`. That test is known on every path, and still
another decision would lead to its other arm.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from inplace_lsp.interpret.state.values import Frame, Known, Value
from inplace_lsp.source import ir


class _Binding(NamedTuple):
    """A name bound to a value under `decisions` (their indices)."""

    decisions: tuple[int, ...]
    value: Value


class ReachingDecisions:
    """The last decisions under which each name was bound. Only guides rest on it, so an attribute's name stands for it
    in whatever object it is."""

    def __init__(self) -> None:
        self._arm: tuple[int, ...] = ()
        self._bindings: dict[str, _Binding] = {}

    @contextmanager
    def inside_arm(self, decisions: tuple[int, ...]) -> Iterator[None]:
        """Run an arm to which these decisions led."""
        outer = self._arm
        self._arm = decisions or outer
        try:
            yield
        finally:
            self._arm = outer

    def note_assignment(self, node: ir.Assign, value: Value, frame: Frame, decisions: tuple[int, ...]) -> None:
        """Record which names are bound under the arm's decisions, or by the `decisions` that chose the value, where
        other ones would have left a constant, or none."""
        chosen = decisions if _chooses_constant(node.value) else ()
        decisive = chosen or self._arm
        if not decisive and not self._bindings:
            return
        for name, _ in (named for target in node.targets for named in _list_names(target)):
            if decisive and (chosen or type(value) is Known or type(frame.names.get(name)) is Known):
                self._bindings[name] = _Binding(decisive, value)
            else:
                self._bindings.pop(name, None)

    def find_decisions(self, test: ir.Expr, frame: Frame) -> tuple[int, ...]:
        """Return the decisions that determine the result of `test`, () if none is known."""
        if not self._bindings:
            return ()
        for name, is_variable in _list_names(test):
            known = self._bindings.get(name)
            if known is not None and (not is_variable or frame.look_up(name) is known.value):
                return known.decisions
        return ()


def _chooses_constant(node: ir.Expr) -> bool:
    """Return whether an expression has one of two values, and one is a constant."""
    return isinstance(node, ir.IfExp) and isinstance(node.body, ir.Const) != isinstance(node.orelse, ir.Const)


@lru_cache(maxsize=4096)
def _list_names(test: ir.Expr) -> tuple[tuple[str, bool], ...]:
    """Return the variables (True) and attributes that a test compares or asks for their truth, not those it computes
    with."""
    names: list[tuple[str, bool]] = []
    for node in _yield_operands(test):
        if isinstance(node, ir.Name):
            names.append((node.id, True))
        elif isinstance(node, ir.Attribute):
            names.append((node.name, False))
    return tuple(dict.fromkeys(names))


def _yield_operands(test: ir.Expr) -> Iterator[ir.Expr]:
    """Yield the operands of a test."""
    match test:
        case ir.UnaryOp():
            yield from _yield_operands(test.operand)
        case ir.BoolOp():
            yield from _yield_operands(test.left)
            yield from _yield_operands(test.right)
        case ir.Compare():
            yield test.left
            yield from (operand for _, operand in test.rest)
        case _:
            yield test
