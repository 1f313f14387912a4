"""Resolve relative paths from the project's folders, although a run works in a folder of its own.

A relative path that is only read, and leads nowhere from that folder, is looked up from the project's folders: a
configuration beside the code is found, and nothing that the code writes lands there. A folder that it writes to, and
that is not there, is made in the run's own, also where the project has none.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable

_open: Callable[..., object] = io.open
_mkdir: Callable[..., None] = os.mkdir


def add_read_folders(folders: list[str]) -> None:
    """Look up relative paths that are read in `folders` as well, from now on in this process."""

    def open_found(file: object, mode: str = "r", *args: object, **named: object) -> object:
        return _open(_find_file(file, mode, folders), mode, *args, **named)

    vars(builtins)["open"] = vars(io)["open"] = open_found
    vars(os)["mkdir"] = _make_folder


def _make_folder(path: str | os.PathLike[str], *args: object, **named: object) -> None:
    """Make a folder, and those above it that are not there."""
    if isinstance(path, (str, os.PathLike)) and not os.path.isabs(path):
        _make_parents(path)
    _mkdir(path, *args, **named)


def _make_parents(path: str | os.PathLike[str]) -> None:
    parent = os.path.dirname(path)
    if parent and not os.path.isdir(parent):
        os.makedirs(parent, exist_ok=True)


def _find_file(file: object, mode: str, folders: list[str]) -> object:
    if not isinstance(file, (str, os.PathLike)) or os.path.isabs(file):
        return file
    if set(mode) & set("wax+"):
        _make_parents(file)
        return file
    if os.path.exists(file):
        return file
    places = (os.path.join(folder, file) for folder in folders)
    return next((place for place in places if os.path.isfile(place)), file)
