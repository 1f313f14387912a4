"""Replace a file's contents and nothing else: at every moment either the old or the new contents are there."""

from __future__ import annotations

import errno
import os
import secrets
import shutil
import stat
from contextlib import suppress
from pathlib import Path

PREFIX = ".inplace-lsp."
"""First part of the names of unfinished files."""
_NEW = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


class NotKeptError(OSError):
    """The file's metadata cannot be kept; `strerror` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.EPERM, why)


def replace_contents(path: Path, data: bytes) -> None:
    """Write `data` to the file at `path` (no link). Raises OSError, and then nothing has changed.

    The contents go to a new file that then replaces the old one: so a file with more than contents, mode, owner and
    attributes is refused. Where the system allows, the new file has no name until it is complete: a killed process
    leaves nothing behind.
    """
    status = path.stat()
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise NotKeptError("it is read-only")
    if status.st_nlink > 1:
        raise NotKeptError(f"it has {status.st_nlink} names (hard links), and rewriting it would separate them")
    beside = path.with_name(f"{PREFIX}{secrets.token_hex(4)}")
    unnamed = _open_without_name(path.parent)
    descriptor = os.open(beside, _NEW, 0o600) if unnamed is None else unnamed
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
            _copy_metadata(path, beside if unnamed is None else _path_of_descriptor(descriptor))
            if unnamed is not None:
                _give_name(descriptor, beside)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _open_without_name(folder: Path) -> int | None:
    """Open a new file without a name in the folder; None if the system has no such thing."""
    flag = getattr(os, "O_TMPFILE", 0)
    try:
        return os.open(folder, os.O_RDWR | flag, 0o600) if flag and _path_of_descriptor(0).parent.is_dir() else None
    except OSError:
        return None


def _path_of_descriptor(descriptor: int) -> Path:
    """Return the path by which Linux finds an open file without a name."""
    return Path(f"/proc/self/fd/{descriptor}")


def _give_name(descriptor: int, name: Path) -> None:
    folder = os.open(name.parent, os.O_RDONLY)
    try:  # only a link that is made relative to a folder is made to what `/proc` leads to
        os.link(_path_of_descriptor(descriptor), name.name, dst_dir_fd=folder, follow_symlinks=True)
    finally:
        os.close(folder)


def _copy_metadata(path: Path, beside: Path) -> None:
    """Copy the old file's metadata to the new one. Raises NotKeptError if that is not allowed."""
    status = path.stat()
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(beside, status.st_uid, status.st_gid)
    shutil.copystat(path, beside)
    os.utime(beside)
    for name in _attributes_of(beside)[1].keys() - _attributes_of(path)[1].keys():  # what the folder gives to new files
        with suppress(OSError):
            os.removexattr(beside, name)
    if _owner_of(path) != _owner_of(beside):
        raise NotKeptError("it belongs to another user or group, which rewriting it would change")
    if _attributes_of(path) != _attributes_of(beside):
        raise NotKeptError("it has permissions or extended attributes that rewriting it would not keep")


def _owner_of(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_uid, status.st_gid


def _attributes_of(path: Path) -> tuple[int, dict[str, bytes]]:
    """Return the mode and the extended attributes, access control lists included, where the system has any."""
    if not hasattr(os, "listxattr"):
        return path.stat().st_mode, {}
    try:
        names = os.listxattr(path)
    except OSError as error:
        if error.errno in (errno.ENOTSUP, errno.EINVAL):
            names = []
        else:
            raise
    return path.stat().st_mode, {name: os.getxattr(path, name) for name in names}
