"""Leave the current folder out of the places that this process takes modules from.

`PYTHONPATH=:/somewhere` puts it there, before Python's own library: a `queue.py` in a folder that nobody trusts would
be executed by whoever checks it. This module imports nothing that Python has not loaded before it.
"""

from __future__ import annotations

import os
import sys


def leave_out_current_folder() -> None:
    """Take the current folder out of Python's module path, as `list_trusted_folders` does."""
    sys.path[:] = list_trusted_folders()


def list_trusted_folders() -> list[str]:
    """Return Python's module path without the current folder, unless this program or the packages of this Python are in
    it."""
    return [folder for folder in sys.path if not _is_here(folder) or _is_own(folder) or _is_installed(folder)]


def _is_own(folder: str) -> bool:
    """Return whether a folder of the module path holds this package, or the model files beside it in a checkout."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    libraries = os.path.join(os.path.dirname(package), "libraries")
    return _is_same_folder(folder, package) or _is_same_folder(folder, libraries)


def _is_installed(folder: str) -> bool:
    """Return whether a folder of the module path lies in this Python's own installation."""
    return any(folder.startswith(prefix + os.sep) for prefix in (sys.prefix, sys.base_prefix))


def _is_here(folder: str) -> bool:
    """Return whether a folder of the module path is the current one."""
    return _is_same_folder(folder or os.curdir, os.curdir)


def _is_same_folder(folder: str, other: str) -> bool:
    """Return whether two paths lead to the same folder; one that leads nowhere does not."""
    try:
        return os.path.samefile(folder, other)
    except (OSError, ValueError):
        return False
