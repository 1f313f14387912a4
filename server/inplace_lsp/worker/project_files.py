"""Resolve relative paths from the project's folders, although a run works in a folder of its own.

A relative path that is only read, and leads nowhere from that folder, is looked up from the project's folders: a
configuration beside the code is found, and nothing that the code writes lands there.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable

_open: Callable[..., object] = io.open


def add_read_folders(folders: list[str]) -> None:
    """Look up relative paths that are read in `folders` as well, from now on in this process."""

    def open_found(file: object, mode: str = "r", *args: object, **named: object) -> object:
        return _open(_find_file(file, mode, folders), mode, *args, **named)

    vars(builtins)["open"] = vars(io)["open"] = open_found


def _find_file(file: object, mode: str, folders: list[str]) -> object:
    if not isinstance(file, (str, os.PathLike)) or set(mode) & set("wax+") or os.path.isabs(file):
        return file
    if os.path.exists(file):
        return file
    places = (os.path.join(folder, file) for folder in folders)
    return next((place for place in places if os.path.isfile(place)), file)
