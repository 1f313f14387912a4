"""Find the file of an import, as Python would, without running Python."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from glob import glob

from inplace_lsp.interpret.state.facts import ModuleQuestion

_ROOT_MARKS = ("pyproject.toml", "setup.py", "setup.cfg", ".git")
_ENVIRONMENTS = (".venv", "venv")

FOLDERS_ABOVE = 3
"""So far above a module may be the folder that its program runs in, where nothing marks the project's."""


def find_candidates(question: ModuleQuestion, added: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Yield paths that may hold the module, the likeliest first, each with whether it would be the user's own.

    `added` are the folders that the importing module adds to `sys.path`, as it writes them.
    """
    parts = [part for part in question.name.split(".") if part]
    folder = os.path.dirname(question.importer)
    if question.level:
        for _ in range(question.level - 1):
            folder = os.path.dirname(folder)
        yield from _own_paths((folder,), parts)
    elif parts and parts[0] not in sys.stdlib_module_names:
        yield from _own_paths((*own_roots(folder), *_added_roots(folder, added), *_folders_above(folder)), parts)
        for root in installed_roots(folder):
            yield from ((path, False) for path in _module_paths(root, parts))


def _own_paths(roots: Iterable[str], parts: list[str]) -> Iterator[tuple[str, bool]]:
    for root in dict.fromkeys(roots):
        for path in _module_paths(root, parts):
            yield path, _is_own(path)


def _module_paths(root: str, parts: list[str]) -> tuple[str, ...]:
    below = os.path.join(root, *parts)
    package = os.path.join(below, "__init__.py")
    return (package, below + ".py") if parts else (package,)


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


def _is_own(path: str) -> bool:
    return "site-packages" not in path and "dist-packages" not in path


def project_root(folder: str) -> str | None:
    """Return the nearest folder above that looks like a project's root."""
    while True:
        if any(os.path.exists(os.path.join(folder, mark)) for mark in _ROOT_MARKS):
            return folder
        above = os.path.dirname(folder)
        if above == folder:
            return None
        folder = above
