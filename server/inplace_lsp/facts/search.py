"""Find the file of an import, as Python would, without running Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import lru_cache
from glob import glob
from typing import NamedTuple

from inplace_lsp.interpret.state.facts import ModuleQuestion

_ROOT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_ENVIRONMENTS = (".venv", "venv")

FOLDERS_ABOVE = 3
"""So far above a module may be the folder that its program runs in, where nothing marks the project's."""


class Root(NamedTuple):
    """A folder that modules are searched in. `own`: what is found there is the user's."""

    folder: str
    own: bool


def find_roots(folder: str, level: int, added: tuple[str, ...]) -> tuple[Root, ...]:
    """Return the folders in which a module in `folder` searches an import with `level` leading dots, the likeliest
    first. `added` are the folders that it adds to `sys.path`, as it writes them."""
    if not level:
        return _find_roots(folder, added)
    for _ in range(level - 1):
        folder = os.path.dirname(folder)
    return (Root(folder, is_own(folder)),)


@lru_cache(maxsize=1024)
def _find_roots(folder: str, added: tuple[str, ...]) -> tuple[Root, ...]:
    own = dict.fromkeys((*own_roots(folder), *_added_roots(folder, added), *_folders_above(folder)))
    installed = (Root(root, own=False) for root in installed_roots(folder))
    return (*(Root(root, is_own(root)) for root in own), *installed)


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
def own_roots(folder: str) -> tuple[str, ...]:
    """Return the roots of the user's own absolute imports: above the package, at the script, the project, its `src`."""
    package = folder
    while os.path.exists(os.path.join(package, "__init__.py")) and os.path.dirname(package) != package:
        package = os.path.dirname(package)
    project = project_root(folder)
    roots = [package, folder]
    if project is not None:
        roots += [project, os.path.join(project, "src")]
    return tuple(dict.fromkeys(roots))


@lru_cache(maxsize=1024)
def _added_roots(folder: str, added: tuple[str, ...]) -> tuple[str, ...]:
    """Return the folders that a module in `folder` adds to `sys.path`: programs run in their folder or one above."""
    starts = (folder, *_folders_above(folder))
    return tuple(os.path.normpath(os.path.join(start, path)) for path in added for start in starts)


@lru_cache(maxsize=1024)
def _folders_above(folder: str) -> tuple[str, ...]:
    """Return the folders above that are the project's, the nearest first: a program may run in any of them."""
    project = project_root(folder)
    above: list[str] = []
    while folder != project and os.path.dirname(folder) != folder and (project or len(above) < FOLDERS_ABOVE):
        folder = os.path.dirname(folder)
        above.append(folder)
    return tuple(above)


@lru_cache(maxsize=1024)
def installed_roots(folder: str) -> tuple[str, ...]:
    """Return the `site-packages` of the environment that the project most likely runs in."""
    places = [os.environ.get("VIRTUAL_ENV"), os.environ.get("CONDA_PREFIX")]
    project = project_root(folder)
    if project is not None:
        places = [*(os.path.join(project, name) for name in _ENVIRONMENTS), *places]
    found = (path for place in places if place for path in _site_packages(place))
    return tuple(dict.fromkeys(found))


def _site_packages(environment: str) -> list[str]:
    lower = os.path.join(environment, "Lib", "site-packages")
    return [*sorted(glob(os.path.join(environment, "lib", "python3*", "site-packages"))), lower]


def is_own(folder: str) -> bool:
    """Return whether what is in a folder is the user's, and not installed."""
    return "site-packages" not in folder and "dist-packages" not in folder


def project_root(folder: str) -> str | None:
    """Return the nearest folder above that looks like a project's root."""
    while True:
        if any(os.path.exists(os.path.join(folder, mark)) for mark in _ROOT_MARKS):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
