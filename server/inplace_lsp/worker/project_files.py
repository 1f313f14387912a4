"""Resolve relative paths from the project's folders, although a run works in a folder of its own.

A relative path that is only read, and leads nowhere from that folder, is looked up from the project's folders: a
configuration beside the code is found, also where the code asks first whether it is there, and nothing that the code
writes lands there. What it removes or renames stays in the project, and is not found there from then on. A folder that
it writes to, and that is not there, is made in the run's own, also where the project has none; so is a folder that it
makes in the project by an absolute path, and what it writes there.
"""

from __future__ import annotations

import builtins
import io
import os
import shutil
from collections.abc import Callable
from typing import Any

_open: Callable[..., Any] = io.open
_mkdir: Callable[..., None] = os.mkdir
_stat: Callable[..., os.stat_result] = os.stat
_remove: Callable[..., None] = os.remove
_rename: Callable[..., None] = os.rename
_replace: Callable[..., None] = os.replace
Path = str | os.PathLike[str]


def add_read_folders(folders: list[str], *, may_write: bool) -> None:
    """Look up relative paths that are read in `folders` as well, from now on in this process. `may_write`: the run may
    make folders in the project."""
    files = _ProjectFiles(folders, os.getcwd(), may_write=may_write)
    vars(builtins)["open"] = vars(io)["open"] = files.open
    _put_in_place("mkdir", files.make_folder)
    _put_in_place("stat", files.stat)
    _put_in_place("remove", files.remove)
    _put_in_place("unlink", files.remove)
    _put_in_place("rename", files.make_mover(_rename))
    _put_in_place("replace", files.make_mover(_replace))


def _put_in_place(name: str, function: Callable[..., object]) -> None:
    """Put a function in the place of one of `os`, which can do the same."""
    for kinds in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
        if getattr(os, name) in kinds:
            kinds.add(function)
    vars(os)[name] = function


class _ProjectFiles:
    """The files of the project's folders, without those that the run has removed."""

    def __init__(self, folders: list[str], home: str, *, may_write: bool) -> None:
        self._folders, self._home, self._may_write = folders, home, may_write
        self._gone: set[str] = set()
        self._made: dict[str, str] = {}

    def make_folder(self, path: Path, *args: object, **named: object) -> None:
        """Make a folder, and those above it that are not there, in the run's own folder."""
        if isinstance(path, (str, os.PathLike)) and named.get("dir_fd") is None:
            place = self._find_place_for_folder(os.fspath(path))
            _make_parents(place)
            _mkdir(place, *args, **named)
        else:
            _mkdir(path, *args, **named)

    def _find_place_for_folder(self, path: str) -> str:
        """Return where a folder is made: in the run's own, where the path leads into the project, to nothing."""
        if self._may_write or not os.path.isabs(path) or _is_below_here(path) or _exists(path):
            return path
        whole = os.path.abspath(path)
        around = next((folder for folder in self._folders if whole.startswith(os.path.join(folder, ""))), None)
        if around is None:
            return path
        self._made[whole] = os.path.join(self._home, os.path.relpath(whole, around))
        return self._made[whole]

    def _find_own(self, file: object) -> object:
        """Return the place in the run's own folder for a path into a folder of the project that the run has made."""
        if not self._made or not isinstance(file, (str, os.PathLike)) or not os.path.isabs(file):
            return file
        whole = os.path.abspath(os.fspath(file))
        for made, own in self._made.items():
            if whole == made or whole.startswith(os.path.join(made, "")):
                return own + whole[len(made) :]
        return file

    def open(self, file: object, mode: str = "r", *args: object, **named: object) -> object:
        """Open a file for a run."""
        file = self._find_own(file)
        if isinstance(file, (str, os.PathLike)) and set(mode) & set("wax+"):
            _make_parents(file)
            return _open(file, mode, *args, **named)
        return _open(self._find_file(file), mode, *args, **named)

    def stat(self, path: object, **how: object) -> os.stat_result:
        """Return the status of a file or folder."""
        path = self._find_own(path)
        try:
            return _stat(path, **how)
        except FileNotFoundError:
            place = self._find_file(path) if how.get("dir_fd") is None else path
            if place is path:
                raise
            return _stat(place, **how)

    def remove(self, path: Path, **how: object) -> None:
        """Remove a file of the run, which is none of the project from then on."""
        try:
            _remove(path, **how)
        except FileNotFoundError:
            if how.get("dir_fd") is not None or self._find_file(path) is path:
                raise
        self._leave_out(path, **how)

    def make_mover(self, move: Callable[..., None]) -> Callable[..., None]:
        """Return what renames files of the run as `move` does, and takes those of the project for it."""

        def move_found(src: Path, dst: Path, **how: object) -> None:
            place = self._find_file(src) if how.get("src_dir_fd") is None else src
            if place is not src:
                _make_parents(src)
                with _open(place, "rb") as there, _open(src, "wb") as here:
                    shutil.copyfileobj(there, here)
            if isinstance(dst, (str, os.PathLike)) and how.get("dst_dir_fd") is None:
                _make_parents(dst)
            move(src, dst, **how)
            self._leave_out(src, dir_fd=how.get("src_dir_fd"))

        return move_found

    def _leave_out(self, path: Path, dir_fd: object = None) -> None:
        if dir_fd is None and isinstance(path, (str, os.PathLike)):
            self._gone.add(os.path.abspath(path))

    def _find_file(self, file: object) -> object:
        """Return the file of the project that a path leads to, if there is nothing in the run's own folder, or else the
        path itself."""
        if not isinstance(file, (str, os.PathLike)) or os.path.isabs(file) or _exists(file):
            return file
        if os.path.abspath(file) in self._gone:
            return file
        places = (os.path.join(folder, file) for folder in self._folders)
        return next((place for place in places if os.path.isfile(place)), file)


def _make_parents(path: str | os.PathLike[str]) -> None:
    """Make the folders above a path in the run's own folder."""
    parent = os.path.dirname(os.path.normpath(path))
    if parent and _is_below_here(parent) and not os.path.isdir(parent):
        os.makedirs(parent, exist_ok=True)


def _is_below_here(folder: str) -> bool:
    return not os.path.isabs(folder) or folder.startswith(os.path.join(os.getcwd(), ""))


def _exists(file: object) -> bool:
    """Return whether there is something in the run's own folder, by what the system itself says."""
    try:
        _stat(file)
    except (OSError, ValueError):
        return False
    return True
