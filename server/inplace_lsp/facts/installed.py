"""Find what is installed in the environment of a project by its file names, without importing or running anything."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from typing import NamedTuple

from inplace_lsp.environments.find import find_environment

_METADATA = re.compile(r"torch-(\d.*)\.dist-info", re.IGNORECASE)


def find_installed_torch(folder: str, python: str = "") -> str:
    """Return the version of torch (`2.6.0+cu124`) in the environment that `python` names, else that of a program in
    `folder`; "" if there is none."""
    if not os.path.isabs(folder):
        return ""
    return next(filter(None, map(_find_in, find_environment(folder, python).packages)), "")


def is_installed(name: str, folder: str, python: str = "") -> bool:
    """Return whether a package or module of this name lies in that environment, with or without Python source."""
    return any(name in _read_names(packages).modules for packages in find_environment(folder, python).packages)


class _Names(NamedTuple):
    """The release of torch and the modules in a folder of packages, read off its file names."""

    torch: str = ""
    modules: frozenset[str] = frozenset()


def _find_in(packages: str) -> str:
    return _read_names(packages).torch


def _read_names(packages: str) -> _Names:
    try:
        return _read_names_of(packages, os.stat(packages).st_mtime_ns)
    except (OSError, ValueError):
        return _Names()


@lru_cache(maxsize=64)
def _read_names_of(packages: str, changed: int) -> _Names:
    """Read the names in a folder of packages; `changed`, its last change, is a key of the cache. Raises OSError."""
    names = sorted(os.listdir(packages))
    torch = next((found[1] for name in names if (found := _METADATA.fullmatch(name))), "")
    return _Names(torch, frozenset(name.partition(".")[0] for name in names))
