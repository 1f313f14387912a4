"""Resolve a path to where a write to it would land."""

from __future__ import annotations

import os
import sys

_DEVICES = frozenset({"/dev/null", "/dev/tty", "/dev/zero", "/dev/full", "/dev/ptmx", "nul"})
_F_GETPATH = 50
"""macOS: the path of a descriptor, by `fcntl`."""


def resolve_file(path: object, folder: object = None) -> str | None:
    """Return the file at the end of all links, None for what has no place in the file system.

    `path` may be a descriptor. `folder` may be the descriptor of the folder that a relative path starts from.
    """
    if isinstance(path, int):
        return _path_of_descriptor(path)
    full = _join_path(path, folder)
    return None if full is None else os.path.realpath(full)


def resolve_entry(path: object, folder: object = None) -> str | None:
    """Return the name itself in its resolved folder, without following a final link: the link is what is made or
    removed."""
    if isinstance(path, int):
        return _path_of_descriptor(path)
    full = _join_path(path, folder)
    if full is None:
        return None
    head, tail = os.path.split(full.rstrip(os.sep) or full)
    if tail in ("", os.curdir, os.pardir):
        return os.path.realpath(full)
    return os.path.join(os.path.realpath(head or os.curdir), tail)


def is_harmless(path: str) -> bool:
    """Return whether a write to the path harms nobody: a device that keeps nothing, a terminal, a switch of this
    process."""
    if path in _DEVICES or path.startswith("/dev/pts/"):
        return True
    own = f"/proc/{os.getpid()}/"
    return path.startswith(own) and not path.startswith(f"{own}cwd") and not path.startswith(f"{own}root")


def _join_path(path: object, folder: object) -> str | None:
    """Return the path as text, joined to its own folder."""
    try:
        text = os.fsdecode(path)  # type: ignore[arg-type]  # what is no path raises
    except TypeError:
        return None
    if os.path.isabs(text) or not isinstance(folder, int) or folder < 0:
        return text
    base = _path_of_descriptor(folder)
    return text if base is None else os.path.join(base, text)


def _path_of_descriptor(number: int) -> str | None:
    """Return the path of an open descriptor; None for pipes and the like, and where the system does not tell."""
    try:
        if sys.platform == "darwin":
            import fcntl  # noqa: PLC0415  (not on Windows)

            found = fcntl.fcntl(number, _F_GETPATH, b"\0" * 1024).rstrip(b"\0").decode()
        else:
            found = os.readlink(f"/proc/self/fd/{number}")
    except OSError:
        return None
    return found if found.startswith("/") else None
