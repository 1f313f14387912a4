"""What a path leads to: where a write to it would land."""

from __future__ import annotations

import os
import sys
from typing import Any

_DEVICES = frozenset({"/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "/dev/ptmx", "nul"})
_F_GETPATH = 50
"""macOS: the path of a descriptor, by `fcntl`."""


def file_at(path: Any, folder: Any = None) -> str | None:
    """The file at the end of all links; None for what has no place in the file system.

    `path` may be a descriptor. `folder` is one, too: that of the folder from which a relative path starts, if not from
    the current one.
    """
    if isinstance(path, int):
        return _of_descriptor(path)
    full = _joined(path, folder)
    return None if full is None else os.path.realpath(full)


def entry_at(path: Any, folder: Any = None) -> str | None:
    """The name itself, in the folder that it leads to: a link is not followed, for it is what is made or removed."""
    if isinstance(path, int):
        return _of_descriptor(path)
    full = _joined(path, folder)
    if full is None:
        return None
    head, tail = os.path.split(full.rstrip(os.sep) or full)
    if tail in ("", os.curdir, os.pardir):
        return os.path.realpath(full)
    return os.path.join(os.path.realpath(head or os.curdir), tail)


def is_harmless(path: str) -> bool:
    """Whether this is nobody's file: a device that keeps nothing, a terminal, a switch of this process."""
    if path in _DEVICES or path.startswith("/dev/pts/"):
        return True
    own = f"/proc/{os.getpid()}/"
    return path.startswith(own) and not path.startswith(f"{own}cwd") and not path.startswith(f"{own}root")


def _joined(path: Any, folder: Any) -> str | None:
    """The path as text, from its own folder."""
    try:
        text = os.fsdecode(path)
    except TypeError:
        return None
    if os.path.isabs(text) or not isinstance(folder, int) or folder < 0:
        return text
    base = _of_descriptor(folder)
    return text if base is None else os.path.join(base, text)


def _of_descriptor(number: int) -> str | None:
    """The path of what is open as `number`; None for pipes and the like, and where the system does not tell."""
    try:
        if sys.platform == "darwin":
            import fcntl  # noqa: PLC0415  (not on Windows)

            found = fcntl.fcntl(number, _F_GETPATH, b"\0" * 1024).rstrip(b"\0").decode()
        else:
            found = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return None
    return found if found.startswith("/") else None
