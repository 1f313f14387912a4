"""Resolve relative paths from the project's folders, although a run works in a folder of its own.

A relative path that is only read, and leads nowhere from that folder, is looked up from the project's folders: a
configuration beside the code is found, also where the code asks first whether it is there, and nothing that the code
writes lands there. A folder that it writes to, and
that is not there, is made in the run's own, also where the project has none.
"""

from __future__ import annotations

import builtins
import io
import os
from collections.abc import Callable

_open: Callable[..., object] = io.open
_mkdir: Callable[..., None] = os.mkdir
_stat: Callable[..., os.stat_result] = os.stat


def add_read_folders(folders: list[str]) -> None:
    """Look up relative paths that are read in `folders` as well, from now on in this process."""

    def open_found(file: object, mode: str = "r", *args: object, **named: object) -> object:
        return _open(_find_file(file, mode, folders), mode, *args, **named)

    vars(builtins)["open"] = vars(io)["open"] = open_found

    def stat_found(path: object, **how: object) -> os.stat_result:
        try:
            return _stat(path, **how)
        except FileNotFoundError:
            place = _find_file(path, "r", folders) if how.get("dir_fd") is None else path
            if place is path:
                raise
            return _stat(place, **how)

    vars(os)["mkdir"], vars(os)["stat"] = _make_folder, stat_found
    for kinds in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        kinds.add(stat_found)


def _make_folder(path: str | os.PathLike[str], *args: object, **named: object) -> None:
    """Make a folder, and those above it that are not there."""
    if isinstance(path, (str, os.PathLike)):
        _make_parents(path)
    _mkdir(path, *args, **named)


def _make_parents(path: str | os.PathLike[str]) -> None:
    """Make the folders above a path in the run's own folder."""
    parent = os.path.dirname(os.path.normpath(path))
    if parent and _is_below_here(parent) and not os.path.isdir(parent):
        os.makedirs(parent, exist_ok=True)


def _is_below_here(folder: str) -> bool:
    return not os.path.isabs(folder) or folder.startswith(os.path.join(os.getcwd(), ""))


def _find_file(file: object, mode: str, folders: list[str]) -> object:
    if not isinstance(file, (str, os.PathLike)):
        return file
    if set(mode) & set("wax+"):
        _make_parents(file)
        return file
    if os.path.isabs(file) or _exists(file):
        return file
    places = (os.path.join(folder, file) for folder in folders)
    return next((place for place in places if os.path.isfile(place)), file)


def _exists(file: object) -> bool:
    """Return whether there is something in the run's own folder, by what the system itself says."""
    try:
        _stat(file)
    except (OSError, ValueError):
        return False
    return True
