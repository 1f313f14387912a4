"""Cancel an analysis: it asks at every unit whether its result is still wanted."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar


class Abandoned(BaseException):
    """The result is no longer wanted. It is not an Exception so that no `except Exception` swallows it."""


_abandoned: ContextVar[Callable[[], bool] | None] = ContextVar("abandoned", default=None)


@contextmanager
def abandon_when(abandoned: Callable[[], bool]) -> Iterator[None]:
    """Within this block, let `checkpoint()` raise Abandoned as soon as `abandoned()` is true."""
    token = _abandoned.set(abandoned)
    try:
        yield
    finally:
        _abandoned.reset(token)


def checkpoint() -> None:
    """Raise Abandoned if the result being computed is no longer wanted. Cheap: call it once per unit."""
    abandoned = _abandoned.get()
    if abandoned is not None and abandoned():
        raise Abandoned
