"""Leave the current folder out of the places that the worker takes modules from, until a run begins.

`python -c` puts it there, and `PYTHONPATH=:/somewhere` does, before Python's own library: a `queue.py` in the folder
where somebody verifies a function would be executed outside of all walls. The host sends this text to be run before any
other, so it imports nothing that Python has not loaded before it.
"""

import os
import sys

_given = []  # type: list[str]


def leave_out_current_folder() -> "list[str]":
    """Take the current folder out of Python's module path. Return the path as it was."""
    before = list(sys.path)
    sys.path[:] = [folder for folder in before if _is_installed(folder) or not _is_here(folder)]
    return before


def keep_given_path(path: "list[str]") -> None:
    """Keep the module path that the environment gives to a run."""
    _given[:] = [folder for folder in path if folder]  # the empty one is of `python -c`, not of the environment


def give_back_path() -> None:
    """Give a run the module path that was kept, if one was."""
    sys.path[:] = _given or sys.path


def _is_installed(folder: str) -> bool:
    """Return whether a folder of the module path lies in this Python's own installation."""
    return any(folder.startswith(prefix + os.sep) for prefix in (sys.prefix, sys.base_prefix))


def _is_here(folder: str) -> bool:
    """Return whether a folder of the module path is the current one; one that leads nowhere is not."""
    try:
        return not folder or os.path.samefile(folder, os.curdir)
    except (OSError, ValueError):
        return False
