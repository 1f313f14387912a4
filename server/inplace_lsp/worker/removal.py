"""Remove folders of any depth, whatever a run has made of them, with two descriptors and no recursion.

What lies deeper than a path can name, and deeper than Python may recurse, is moved up, level by level.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
from collections.abc import Iterator

_DEPTH_BY_DESCRIPTOR = {os.open, os.rename, os.unlink, os.rmdir, os.chmod} <= os.supports_dir_fd
_FOLDER = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_MOVED = ".inplace-lsp-moved-"


def remove_tree(folder: str) -> bool:
    """Remove a folder with all that is in it; return whether it is gone. Never raises."""
    with contextlib.suppress(OSError, RecursionError):
        if _DEPTH_BY_DESCRIPTOR:
            _remove_level_by_level(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return not os.path.lexists(folder)


def _remove_level_by_level(folder: str) -> None:
    _unlock(folder)
    top = os.open(folder, _FOLDER)
    try:
        waiting = list(_empty(top))
        number = 0
        while waiting:
            name = waiting.pop()
            with contextlib.suppress(OSError):  # it stays, and with it the folder
                _unlock(name, top)
                below = os.open(name, _FOLDER, dir_fd=top)
                try:
                    for inner in _empty(below):
                        number += 1
                        moved = f"{_MOVED}{number}"
                        _unlock(inner, below)  # to move a folder writes to it
                        os.rename(inner, moved, src_dir_fd=below, dst_dir_fd=top)
                        waiting.append(moved)
                finally:
                    os.close(below)
                os.rmdir(name, dir_fd=top)
    finally:
        os.close(top)
    os.rmdir(folder)


def _empty(folder: int) -> Iterator[str]:
    """Remove what is no folder from the open `folder`; yield the names of the folders in it."""
    with os.scandir(folder) as entries:
        found = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
    for name, is_folder in found:
        if is_folder:
            yield name
        else:
            with contextlib.suppress(OSError):
                os.unlink(name, dir_fd=folder)


def _unlock(name: str, folder: int | None = None) -> None:
    """Let this user change the folder `name`, unless they may already. `name` is no link: `chmod` would follow it."""
    known = os.stat(name, dir_fd=folder, follow_symlinks=False)
    if stat.S_ISDIR(known.st_mode) and known.st_mode & stat.S_IRWXU != stat.S_IRWXU:
        os.chmod(name, stat.S_IRWXU, dir_fd=folder)
