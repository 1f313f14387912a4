"""Find the file of an import, as Python would, without running Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from inplace_lsp.environments.find import find_environment
from inplace_lsp.interpret.state.facts import ModuleQuestion

_ROOT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")

FOLDERS_ABOVE = 6
"""Maximum number of levels above a module to search for the folder that its program runs in, if nothing marks the
project's root."""


class Root(NamedTuple):
    """A folder in which modules are searched. `own`: its modules are the user's, not installed ones."""

    folder: str
    own: bool


def find_roots(folder: str, level: int, added: tuple[str, ...], python: str = "") -> tuple[Root, ...]:
    """Return the folders in which a module in `folder` searches an import with `level` leading dots, the likeliest
    first. `added` are the folders that it adds to `sys.path`, as it writes them; `python` names its environment."""
    if not level:
        return _find_roots(folder, added, find_environment(folder, python).packages)
    for _ in range(level - 1):
        folder = os.path.dirname(folder)
    return (Root(folder, is_own(folder)),)


@lru_cache(maxsize=1024)
def _find_roots(folder: str, added: tuple[str, ...], packages: tuple[str, ...]) -> tuple[Root, ...]:
    own = dict.fromkeys((*list_own_roots(folder), *_list_added_roots(folder, added), *_list_folders_above(folder)))
    installed = (Root(root, _is_of_project(root, find_project_root(folder))) for root in packages if root not in own)
    return (*(Root(root, is_own(root)) for root in own), *installed)


def _is_of_project(root: str, project: str | None) -> bool:
    """Return whether a folder that an environment adds is one of the project's own, installed to be edited."""
    return project is not None and is_own(root) and Path(root).is_relative_to(project)


def split_name(question: ModuleQuestion) -> Sequence[str] | None:
    """Return the parts of the name of a module; None if it has none or is Python's own."""
    parts = [part for part in question.name.split(".") if part]
    is_searched = question.level or (parts and parts[0] not in sys.stdlib_module_names)
    return parts if is_searched else None


def find_paths(root: str, parts: Sequence[str]) -> tuple[str, ...]:
    """Return the paths that may hold a module below `root`, the likelier first."""
    if not parts:
        return (os.path.join(root, "__init__.py"),)
    below = os.path.join(root, os.sep.join(parts))
    return (f"{below}{os.sep}__init__.py", f"{below}.py")


@lru_cache(maxsize=1024)
def list_own_roots(folder: str) -> tuple[str, ...]:
    """Return the roots of the user's own absolute imports: above the package, at the script, the project, its `src`."""
    package = folder
    while os.path.exists(os.path.join(package, "__init__.py")) and os.path.dirname(package) != package:
        package = os.path.dirname(package)
    project = find_project_root(folder)
    roots = [package, folder]
    if project is not None:
        roots += [project, os.path.join(project, "src")]
    return tuple(dict.fromkeys(roots))


@lru_cache(maxsize=1024)
def _list_added_roots(folder: str, added: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders that a module in `folder` adds to `sys.path`: programs run in their folder or one above."""
    starts = (folder, *_list_folders_above(folder))
    return tuple(os.path.normpath(os.path.join(start, path)) for path in added for start in starts)


@lru_cache(maxsize=1024)
def _list_folders_above(folder: str) -> tuple[str, ...]:
    """Return the folders of the project above this one, the nearest first: a program may run in any of them."""
    project = find_project_root(folder)
    above: list[str] = []
    while folder != project and os.path.dirname(folder) != folder and (project or len(above) < FOLDERS_ABOVE):
        folder = os.path.dirname(folder)
        above.append(folder)
    return tuple(above)


def is_own(folder: str) -> bool:
    """Return whether what is in a folder is the user's, and not installed."""
    return "site-packages" not in folder and "dist-packages" not in folder


def find_project_root(folder: str) -> str | None:
    """Return the nearest folder above that looks like a project's root."""
    while True:
        if any(os.path.exists(os.path.join(folder, mark)) for mark in _ROOT_MARKS):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
