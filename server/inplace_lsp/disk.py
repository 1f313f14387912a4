"""Read files written by others: only regular files of a sane size, whatever a name links to.

A source file, a `.gitignore`, a pyproject.toml or an entry of the cache may be a link to `/dev/zero`, a pipe without a
writer, or a file of a gigabyte. Opening a pipe or a device can block or have an effect, so none is opened.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

LARGEST = 2_000_000
"""Bytes of source or configuration beyond which it is not looked into."""
MOST_ENTRIES = 5000
"""Maximum number of files and folders that are visited below a folder of model files: a check has no time for `/`."""


LONGEST_PATH = 4096
"""Characters of the longest path that Linux opens; other systems open shorter ones, or hardly longer ones."""


def cut_path(folder: str) -> str:
    """Return `folder`, or the part of it that can be opened if an address names more folders than there can be: looking
    for a file in each of them takes time that grows with the square of their number."""
    return folder if len(folder) <= LONGEST_PATH else folder[: folder.rindex(os.sep, 0, LONGEST_PATH) or 1]


class UnfitError(OSError):
    """The name exists, but cannot be read; `strerror` says why."""

    def __init__(self, why: str) -> None:
        super().__init__(errno.EINVAL, why)


def read_bytes(path: str | Path, largest: int = LARGEST) -> bytes:
    """Read a regular file of at most `largest` bytes. Raises OSError, UnfitError if it is anything else."""
    check_fit(os.stat(path), largest)
    descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(descriptor, "rb") as file:
        check_fit(os.fstat(descriptor), largest)  # it may be another one by now
        data: bytes | None = file.read(largest + 1)  # files of /proc have more than they say
    if data is None:  # or nothing yet, as /proc/kmsg
        raise UnfitError("nothing to read from it now")
    if len(data) > largest:
        raise UnfitError(too_large(largest))
    return data


def check_fit(status: os.stat_result, largest: int = LARGEST) -> None:
    """Raise UnfitError unless `status` is that of a regular file of at most `largest` bytes."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if not stat.S_ISREG(status.st_mode):
        raise UnfitError("not a regular file")
    if status.st_size > largest:
        raise UnfitError(too_large(largest))


def too_large(largest: int = LARGEST) -> str:
    """Say in words that something has more than `largest` bytes."""
    return f"larger than {largest / 1e6:g} MB, the size limit"


def holds_too_much(folder: Path) -> bool:
    """Return whether there are more files and folders below `folder` than are looked at."""
    return next(islice(entries_below(folder), MOST_ENTRIES, None), None) is not None


def entries_below(folder: Path) -> Iterator[os.DirEntry[str]]:
    """Yield what is below a folder, however deep; what cannot be read is left out, and no link is followed."""
    waiting = [str(folder)]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                inside = list(entries)
        except OSError:
            continue
        for entry in inside:
            yield entry
            if entry.is_dir(follow_symlinks=False):
                waiting.append(entry.path)


@contextmanager
def only_fit_files() -> Iterator[None]:
    """Within this block, let this process open only fit files for reading, also from within libraries.

    For libraries that read files by themselves. The hook that watches over it cannot be taken away again: it is set
    with the first block, and does nothing outside of them.
    """
    _watch_over_opening()
    _BLOCKS.append(None)
    try:
        yield
    finally:
        _BLOCKS.pop()


_BLOCKS: list[None] = []
"""One for each block that is being executed."""


@cache
def _watch_over_opening() -> None:
    sys.addaudithook(_on_event)


def _on_event(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "open" and _BLOCKS and isinstance(arguments[0], str | bytes | os.PathLike):
        try:
            status = os.stat(arguments[0])
        except (OSError, ValueError):
            return  # whoever opens it will see
        if not stat.S_ISDIR(status.st_mode):
            check_fit(status, _LARGEST_OF_LIBRARIES)


_LARGEST_OF_LIBRARIES = 64_000_000
"""jedi's own store of what it has parsed has files of many megabytes."""
