"""Files that the code names as seen from the project, though a run works in a folder of its own.

A relative path that is only read, and leads nowhere from that folder, is looked up from the project's folders: a
configuration beside the code is found, and nothing that the code writes lands there.
"""

from __future__ import annotations

import builtins
import io
import os
from typing import Any

_open = io.open


def read_from(folders: list[str]) -> None:
    """Look up relative paths that are read in `folders` as well, from now on in this process."""

    def opened(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        return _open(_found(file, mode, folders), mode, *args, **kwargs)

    builtins.open = io.open = opened


def _found(file: Any, mode: str, folders: list[str]) -> Any:
    if not isinstance(file, (str, os.PathLike)) or set(mode) & set("wax+") or os.path.isabs(file):
        return file
    if os.path.exists(file):
        return file
    places = (os.path.join(folder, file) for folder in folders)
    return next((one for one in places if os.path.isfile(one)), file)
