"""File names as they are shown: to people relative to a folder, to other programs as relative URIs."""

from __future__ import annotations

import os
from pathlib import Path
from urllib.parse import quote


def shown_path(file: str, folder: str) -> str:
    """`file` relative to `folder` if it lies in it, else as it is."""
    inside = file.startswith(folder.rstrip(os.sep) + os.sep)
    return os.path.relpath(file, folder) if inside else file


def shortened(message: str, folder: str) -> str:
    """`message` with the files it names shown as everywhere else."""
    return message.replace(folder.rstrip(os.sep) + os.sep, "")


def portable_path(file: str, root: str) -> str:
    """`file` relative to `root`, with forward slashes on every system; as it is if it lies elsewhere."""
    return Path(shown_path(file, root)).as_posix()


def relative_path(file: str, root: str) -> str:
    """The way from `root` to `file`, with forward slashes on every system; as it is if there is none."""
    try:
        return Path(os.path.relpath(file, root)).as_posix()
    except ValueError:  # on another drive
        return Path(file).as_posix()


def uri_of(file: str, root: str) -> str:
    """`file` as a URI: relative to `root` if it lies in it."""
    inside = portable_path(file, root)
    return file_uri(file) if os.path.isabs(inside) else _quoted(inside)


def file_uri(file: str) -> str:
    """The `file:` URI of an absolute name."""
    return "file://" + _quoted("/" + Path(file).as_posix().lstrip("/"))


def _quoted(path: str) -> str:
    """Names that are not UTF-8 keep their bytes."""
    return quote(os.fsencode(path))
