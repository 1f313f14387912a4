"""Report the progress of an analysis to a listener."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Listener = Callable[[float], None]

_listener: ContextVar[Listener | None] = ContextVar("listener", default=None)


@contextmanager
def report_shares_to(listener: Listener) -> Iterator[None]:
    """Within this block, let `tell_share` call `listener`."""
    token = _listener.set(listener)
    try:
        yield
    finally:
        _listener.reset(token)


def listen(listener: Listener) -> None:
    """Let `tell_share` call `listener` from now on, for everything that this process does."""
    _listener.set(listener)


def tell_share(share: float) -> None:
    """Say which share of the file at work is done, from 0 to 1; of several files, the sum. Cheap: call it once per
    unit."""
    listener = _listener.get()
    if listener is not None:
        listener(share)


def is_anyone_listening() -> bool:
    """Return whether somebody listens."""
    return _listener.get() is not None
