"""Signals that end the execution of code before its last statement."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from inplace_lsp.interpret.state.paths import ControlSignal
from inplace_lsp.interpret.state.values import Instance, Unknown, Value


class Return(ControlSignal):
    """Control leaves the function."""

    def __init__(self, value: Value) -> None:
        self.value = value


class Break(ControlSignal):
    """Control leaves the loop."""


class Continue(ControlSignal):
    """Control goes to the next iteration."""


class Raised(ControlSignal):
    """The program raises; `kind` is the name of the exception's class, "" if that is not known, `value` the exception,
    if its class is the user's."""

    def __init__(self, kind: str = "", value: Instance | None = None) -> None:
        self.kind, self.value = kind, value


class Paused(Exception):  # noqa: N818
    """A generator stops at its `yield` with `value`; the code that it leaves adds to `go_on`, the rest of the
    generator."""

    def __init__(self, value: Value) -> None:
        self.value = value
        self.go_on: Callable[[], None] = _do_nothing

    def add_following(self, following: Callable[[], None]) -> None:
        """Run `following` after the rest."""
        self.go_on = partial(_run_both, self.go_on, following)

    def add_around(self, around: Callable[[Callable[[], None]], None]) -> None:
        """Run the rest inside `around`."""
        self.go_on = partial(around, self.go_on)


class NotFollowedError(Exception):
    """The budget or the depth forbids to run a generator; `result` is unknown and stands for what it yields."""

    def __init__(self, result: Unknown) -> None:
        self.result = result


def _do_nothing() -> None: ...


def _run_both(first: Callable[[], None], second: Callable[[], None]) -> None:
    first()
    second()
