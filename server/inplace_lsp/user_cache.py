"""Small entries in the user's cache folder: each a file with a line that holds a digest, and JSON.

JSON, since reading it runs nothing, whoever wrote the file. An entry that is damaged, too large or no regular file
counts as none; one that cannot be written costs the time it would have saved, and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

from platformdirs import user_cache_path

import inplace_lsp_libraries
from inplace_lsp.disk import read_bytes

FOLDER = "INPLACE_LSP_CACHE_DIR"
"""Environment variable: where the cache lies instead."""
LARGEST = 64_000_000
"""Bytes of an entry beyond which it is not read."""
SUFFIX = ".entry"


def cache_folder(kind: str) -> Path:
    """Return the folder of the entries of a kind."""
    return Path(os.environ.get(FOLDER) or user_cache_path("inplace-lsp", appauthor=False)) / kind


def read_entry(path: Path) -> Any:
    """Return the entry in a file. Raises OSError or ValueError if there is none."""
    digest, _, data = read_bytes(path, LARGEST).partition(b"\n")
    if digest != hashlib.sha256(data).hexdigest().encode():
        raise ValueError("damaged")
    return json.loads(data)


def write_entry(path: Path, entry: object) -> None:
    """Write an entry; ignore that it cannot be written.

    A process that is killed meanwhile leaves an unfinished file that the next one reuses. Two at once may spoil each
    other's entry, which then counts as none.
    """
    data = json.dumps(entry).encode()
    scratch = path.with_suffix(".unfinished")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        scratch.unlink(missing_ok=True)
        with open(scratch, "xb") as file:
            file.write(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
        scratch.replace(path)
    except OSError:
        with suppress(OSError):
            scratch.unlink()


def drop_oldest(folder: Path, most: int) -> None:
    """Delete the entries of a folder that were written first, so that `most` are left."""
    with suppress(OSError):
        found = [(entry.stat().st_mtime_ns, entry.path) for entry in os.scandir(folder) if entry.name.endswith(SUFFIX)]
        for _, path in sorted(found)[: max(0, len(found) - most)]:
            os.unlink(path)


@cache
def program_version() -> str:
    """Return the version of this program by its own files, so that every change of it counts."""
    folders = (os.path.dirname(__file__), os.path.dirname(inplace_lsp_libraries.__file__))
    return repr(sorted(stamp for folder in folders for stamp in _stamps_below(folder)))


def _stamps_below(folder: str) -> Iterator[tuple[str, int, int]]:
    with os.scandir(folder) as found:
        for entry in found:
            if entry.is_dir():
                yield from _stamps_below(entry.path)
            elif entry.name.endswith((".py", ".txt", ".toml")):
                status = entry.stat()
                yield entry.path, status.st_mtime_ns, status.st_size
