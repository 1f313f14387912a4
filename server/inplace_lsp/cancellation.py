"""A way for whoever runs an analysis to stop it: the analysis asks at every unit whether its answer is still wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Abandoned(BaseException):
    """Nobody wants the answer any more. Not an Exception: no `except Exception` on the way may swallow it."""


_abandoned: ContextVar[Callable[[], bool] | None] = ContextVar("abandoned", default=None)


@contextmanager
def abandon_when(abandoned: Callable[[], bool]) -> Iterator[None]:
    """Within this block `checkpoint()` raises Abandoned as soon as `abandoned()` is true."""
    token = _abandoned.set(abandoned)
    try:
        yield
    finally:
        _abandoned.reset(token)


def checkpoint() -> None:
    """Raise Abandoned if the answer being computed is no longer wanted. Cheap: call it once a unit."""
    abandoned = _abandoned.get()
    if abandoned is not None and abandoned():
        raise Abandoned
