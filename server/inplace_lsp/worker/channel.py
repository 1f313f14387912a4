"""The channel by which a run reports to the worker: a descriptor that its code must neither close nor write to."""

from __future__ import annotations

import os

from inplace_lsp.messages.codec import Message
from inplace_lsp.worker.wire import send_message

TOKEN = "token"
"""Marks the messages of the run itself, whatever else is written to its descriptor."""
CLOSED = 209
"""The exit status of a run that cannot answer, because its descriptor is closed."""
_HIGH = 4000
"""Descriptors from here on, or from below the limit on, are none that anybody counts with."""


class ClosedError(Exception):
    """What was the run's descriptor is no longer."""


class Channel:
    """The run's end of the channel. If code reuses the number of its descriptor for another file, `send` notices."""

    def __init__(self, descriptor: int, token: str) -> None:
        self.descriptor = _move_descriptor_up(descriptor)
        self._token = token
        self._identity = _file_identity(self.descriptor)

    def send(self, message: Message) -> None:
        """Send one message, on a line of its own. Raises ClosedError."""
        try:
            if _file_identity(self.descriptor) != self._identity:
                raise ClosedError
            os.write(self.descriptor, b"\n")
            send_message(self.descriptor, message, **{TOKEN: self._token})
        except OSError:
            raise ClosedError from None

    def keep_open(self) -> None:
        """Make `os.close` and `os.closerange` skip this descriptor from now on."""
        close, close_range, own = os.close, os.closerange, self.descriptor

        def close_other(fd: int) -> None:
            close(-1 if fd == own else fd)

        def close_others(fd_low: int, fd_high: int, /) -> None:
            close_range(fd_low, min(fd_high, own))
            close_range(max(fd_low, own + 1), fd_high)

        os.close, os.closerange = close_other, close_others


def _file_identity(descriptor: int) -> tuple[int, int]:
    known = os.fstat(descriptor)
    return known.st_dev, known.st_ino


def _move_descriptor_up(descriptor: int) -> int:
    """Move the descriptor to a high number that no code expects, as far as the system has one."""
    try:
        import fcntl  # noqa: PLC0415  (not on Windows)
        import resource  # noqa: PLC0415

        limit = min(resource.getrlimit(resource.RLIMIT_NOFILE)[0], _HIGH)
        moved: int = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, max(limit - 16, 3))
    except (ImportError, OSError):
        return descriptor
    os.close(descriptor)
    return moved
