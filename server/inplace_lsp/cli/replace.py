"""Other contents for a file, and nothing else about it changed: at every moment the old ones are there or the new."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
from contextlib import suppress
from pathlib import Path


class NotKeptError(OSError):
    """A file with other contents would not be the file it is; `strerror` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.EPERM, why)


def replace(path: Path, data: bytes) -> None:
    """Give the file at `path` (no link) the contents `data`. Raises OSError, and then nothing has changed.

    They are written beside the file first, which another one then takes the place of: so a file that is more than
    contents, mode, owner and attributes is refused.
    """
    status = path.stat()
    if not status.st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH) or not os.access(path, os.W_OK):
        raise NotKeptError("it is read-only")
    if status.st_nlink > 1:
        raise NotKeptError(f"it has {status.st_nlink} names (hard links), and a repair would leave it with one")
    descriptor, name = tempfile.mkstemp(prefix=".inplace-lsp.", dir=path.parent)
    beside = Path(name)
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(descriptor)
        _take_after(path, beside)
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _take_after(path: Path, beside: Path) -> None:
    """Give the new file what the old one has besides its contents. Raises NotKeptError where that is not allowed."""
    status = path.stat()
    if hasattr(os, "chown"):
        with suppress(OSError):
            os.chown(beside, status.st_uid, status.st_gid)
    shutil.copystat(path, beside)
    os.utime(beside)
    for name in _attributes(beside)[1].keys() - _attributes(path)[1].keys():  # what the folder gives to new files
        with suppress(OSError):
            os.removexattr(beside, name)
    if _owner(path) != _owner(beside):
        raise NotKeptError("it belongs to another user or group, which a repair would change")
    if _attributes(path) != _attributes(beside):
        raise NotKeptError("it has a mode or extended attributes that a repair would not keep")


def _owner(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_uid, status.st_gid


def _attributes(path: Path) -> tuple[int, dict[str, bytes]]:
    """The mode, and the extended attributes where the system has any; access control lists are among them."""
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
