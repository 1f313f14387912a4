"""Execute loops: a few passes stand for all, so values that change in each pass are not known after the first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache

from inplace_lsp.interpret.machine.iteration import visit_elements
from inplace_lsp.interpret.machine.machine import Machine
from inplace_lsp.interpret.machine.signals import Break, Continue
from inplace_lsp.interpret.python.expressions import bind_target, evaluate_header
from inplace_lsp.interpret.state import relative_numbers
from inplace_lsp.interpret.state.values import (
    Container,
    Frame,
    Items,
    Known,
    Mapping,
    Number,
    Tensor,
    Unknown,
    Value,
    is_false,
)
from inplace_lsp.source import ir

PASSES = 2
"""Passes through a loop of unknown length: the second sees the effects of the first."""

FAR = 32
"""The distance to the end of a `while` from which its counter does not reach it in the executed passes."""


def execute_for(machine: Machine, node: ir.For, frame: Frame) -> None:
    """Execute a `for` loop."""
    iterable = evaluate_header(machine, node.iterable, frame)
    if relative_numbers.is_known_empty(iterable):
        _skip_body(machine, node.body, frame, iterable)
    if _ignores_variable(node):
        iterable = relative_numbers.drop_middle(iterable)
    passes = _Passes(machine, frame, stand_for_more=not _is_exact(iterable))

    last: Value | None = None

    def take_element(item: Value) -> bool:
        nonlocal last
        last = item
        machine.reach_place(node.iterable.place, frame)
        bind_target(machine, node.target, item, frame)
        with passes.begin_pass():
            return _execute_body(machine, node.body, frame)

    goes_on = visit_elements(machine, iterable, take_element)
    if goes_on and passes.is_late() and (more := _make_another(machine, last)) is not None:
        goes_on = take_element(more)
    if goes_on:
        machine.execute(node.orelse, frame)


def _skip_body(machine: Machine, body: Sequence[ir.Statement], frame: Frame, iterable: Value) -> None:
    """Record that the body of a loop is skipped, because of the decision that there is nothing to loop over."""
    before = machine.path.count_decisions()
    machine.decide_truth(iterable)
    machine.note_untaken(body, frame, machine.path.find_last_since(before))


@lru_cache(maxsize=1024)
def _ignores_variable(node: ir.For) -> bool:
    """Return whether the body of a loop never reads its variable."""
    return isinstance(node.target, ir.Name) and not ir.is_mentioned(node.body, node.target.id)


def execute_while(machine: Machine, node: ir.While, frame: Frame) -> None:
    """Execute a `while` loop.

    It ends where the last pass found its test to be false. What was found before that may have changed unseen, as
    `env.done` does when the environment is reset.
    """
    passes: _Passes | None = None
    asked_before: int | None = None
    for at in range(PASSES + 2):
        value = machine.settle_comparison(evaluate_header(machine, node.test, frame))
        if is_false(value) or (asked_before is not None and machine.was_found_false(value, asked_before)):
            machine.execute(node.orelse, frame)
            return
        passes = passes or _Passes(machine, frame, stand_for_more=_goes_on_long(machine, node.test, value, frame))
        asked_before = len(machine.asked)
        with passes.begin_pass():
            if not _execute_body(machine, node.body, frame):
                return
        enough = PASSES + isinstance(value, Known) + passes.is_late()
        if at + 1 >= enough:
            return


def _execute_body(machine: Machine, body: Sequence[ir.Statement], frame: Frame) -> bool:
    """Execute one pass; return whether the loop goes on."""
    try:
        with machine.recorder.guards.run_inside():
            machine.execute(body, frame)
    except Continue:
        pass
    except Break:
        return False
    return True


class _Passes:
    """The passes through one loop. If they `stand_for_more`, lists grow longer and counters higher than is seen."""

    def __init__(self, machine: Machine, frame: Frame, *, stand_for_more: bool) -> None:
        self._machine, self._frame, self._stand_for_more = machine, frame, stand_for_more
        self._before: dict[str, Value] = {}
        self._late = self._begun = False

    def is_late(self) -> bool:
        """Return whether only one pass has seen what the pass count decided."""
        return self._late

    @contextmanager
    def begin_pass(self) -> Iterator[None]:
        """Begin another pass."""
        if not self._stand_for_more:
            yield
            return
        self._forget_counts()
        self._before = dict(self._frame.names)
        machine = self._machine
        outer, counted = machine.loop_pass, machine.counted
        machine.begin_pass()
        is_first, self._begun = not self._begun, True
        try:
            with machine.path.begin_pass(first=is_first):
                yield
        finally:
            self._late = not self._late and machine.counted > counted
            machine.loop_pass = outer

    def _forget_counts(self) -> None:
        """Forget the numbers that the last pass changed: they change in every pass."""
        names = self._frame.names
        for name, old in self._before.items():
            now = names.get(name)
            if now is not old and _is_number(old) and _is_number(now):
                hint = now.value if isinstance(now, Known) and isinstance(now.value, int) else None
                names[name] = Number(hint, grows=True)


def _make_another(machine: Machine, item: Value | None) -> Value | None:
    """Return another element like the last one of a loop; None if none can be made."""
    if isinstance(item, Number):
        return Number(item.hint + 1 if item.hint is not None else None, amount=item.amount)
    if isinstance(item, Tensor) and item.node is None and not item.requires_grad:
        return machine.recorder.new_tensor("element", name=item.name, dtype=item.dtype, shape=item.shape)
    if isinstance(item, Unknown):
        return replace(item, tensor=None, truth={}, attributes={}, elements={})
    if isinstance(item, Items) and item.kind == "tuple" and not item.fields:
        made = [_make_another(machine, part) for part in item.items]
        parts = [part for part in made if part is not None]
        return Items("tuple", parts) if len(parts) == len(made) else None
    return None


def _is_number(value: Value | None) -> bool:
    return isinstance(value, Known) and type(value.value) in (int, float)


def _is_exact(iterable: Value) -> bool:
    """Return whether a loop over the value has exactly as many passes as are executed."""
    if isinstance(iterable, Tensor):
        return iterable.shape is not None and len(iterable.shape) > 0 and iterable.shape[0] is not None
    if not isinstance(iterable, Items):
        return isinstance(iterable, (Known, Mapping, Container)) and not getattr(iterable, "open", False)
    return not iterable.open and not any(map(_starts_with_number, iterable.items[:1]))


def _starts_with_number(item: Value) -> bool:
    """Return whether an element is an unknown number of a range, or a tuple that begins with one."""
    return isinstance(item, Number) or (isinstance(item, Items) and any(map(_starts_with_number, item.items[:1])))


def _goes_on_long(machine: Machine, test: ir.Expr, value: Value, frame: Frame) -> bool:
    """Return whether a `while` with this value of its test has more passes than are executed."""
    if not isinstance(value, Known) or not isinstance(test, ir.Compare):
        return True
    sides = (test.left, *(operand for _, operand in test.rest))
    if not all(map(_is_plain, sides)):
        return False
    values = [machine.evaluate(side, frame) for side in sides]
    numbers = [side.value for side in values if isinstance(side, Known) and isinstance(side.value, (int, float))]
    return len(numbers) < len(sides) or max(numbers) - min(numbers) > FAR


def _is_plain(node: ir.Expr) -> bool:
    """Return whether evaluating the expression again changes nothing."""
    return isinstance(node, (ir.Name, ir.Const)) or (isinstance(node, ir.Attribute) and _is_plain(node.value))
