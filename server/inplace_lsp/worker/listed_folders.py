"""Folders of data that are not there: while a data set is made once more, they list some pictures, so that its own
`__getitem__` says how large its items are."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any

COUNT = 8
"""Number of pictures of each kind that a missing folder lists."""
_KINDS = ("png", "jpg")
_MISSING = (FileNotFoundError, NotADirectoryError)
_inventing: list[bool] = []
"""Whether folders are listed so, one for each data set that is being made."""


def list_missing_folders() -> None:
    """Let `os.listdir` list made-up pictures from now on in this process, where that is allowed."""
    real: Callable[..., Any] = os.listdir

    def listed(*where: Any) -> Any:
        try:
            return real(*where)
        except _MISSING:
            if not _inventing:
                raise
            return [f"{number}.{kind}" for kind in _KINDS for number in range(COUNT)]

    os.listdir = listed  # type: ignore[assignment]


@contextlib.contextmanager
def invent_files() -> Iterator[None]:
    """Allow made-up pictures in folders that are not there, within the block."""
    _inventing.append(True)
    try:
        yield
    finally:
        _inventing.pop()
