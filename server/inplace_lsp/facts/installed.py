"""Which torch a project runs with, by the metadata in its environment: nothing is imported and nobody is asked."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from inplace_lsp.facts.search import installed_roots

_METADATA = re.compile(r"torch-(\d.*)\.dist-info", re.IGNORECASE)


def find_installed_torch(folder: str) -> str:
    """Return the version of torch (`2.6.0+cu124`) in the environment of the project that `folder` belongs to; "" if
    there is none."""
    if not os.path.isabs(folder):
        return ""
    return next(filter(None, map(_find_in, installed_roots(folder))), "")


def _find_in(packages: str) -> str:
    try:
        changed = os.stat(packages).st_mtime_ns
    except (OSError, ValueError):
        return ""
    return _read_names(packages, changed)


@lru_cache(maxsize=64)
def _read_names(packages: str, changed: int) -> str:
    """Look through a folder of packages, in the state of the time when it last `changed`."""
    try:
        names = os.listdir(packages)
    except OSError:
        return ""
    return next((found[1] for name in sorted(names) if (found := _METADATA.fullmatch(name))), "")
