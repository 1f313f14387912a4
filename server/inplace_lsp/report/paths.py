"""Display names of files: relative to a folder for people, relative URIs for programs.

On Windows a name has a drive (`C:`) or a share (of a server), and upper and lower case are one. `PATH` and `NAME` are
the system's own; tests put those of Windows in their place.
"""

from __future__ import annotations

import os
from pathlib import PurePath
from types import ModuleType
from urllib.parse import quote

PATH: ModuleType = os.path
NAME: type[PurePath] = PurePath


def shown_path(file: str, folder: str) -> str:
    """Return `file` relative to `folder` if it is inside, else unchanged."""
    return str(PATH.relpath(file, folder)) if _begins_with(file, folder) else file


def shorten_paths(message: str, folder: str) -> str:
    """Return `message` with its file names shown as elsewhere."""
    return message.replace(_with_separator(folder), "")


def portable_path(file: str, root: str) -> str:
    """Return `file` relative to `root` with forward slashes on every system; unchanged if it is elsewhere."""
    return NAME(shown_path(file, root)).as_posix()


def relative_path(file: str, root: str) -> str:
    """Return the path from `root` to `file` with forward slashes; unchanged if there is none."""
    try:
        return NAME(PATH.relpath(file, root)).as_posix()
    except ValueError:  # on another drive
        return NAME(file).as_posix()


def uri_of(file: str, root: str) -> str:
    """Return `file` as a URI, relative to `root` if it is inside."""
    inside = portable_path(file, root)
    return file_uri(file) if PATH.isabs(inside) else _quote_path(inside)


def file_uri(file: str) -> str:
    """Return the `file:` URI of an absolute path: `file:///home/x`, `file:///C:/x`, `file://server/share/x`."""
    drive, rest = PATH.splitdrive(file)
    if drive[:1] in ("\\", "/"):
        return "file:" + _quote_path(NAME(file).as_posix())
    return f"file:///{drive}{'/' if drive else ''}" + _quote_path(NAME(rest).as_posix().lstrip("/"))


def _begins_with(file: str, folder: str) -> bool:
    inside = _with_separator(folder)
    return bool(PATH.normcase(file[: len(inside)]) == PATH.normcase(inside))


def _with_separator(folder: str) -> str:
    return folder.rstrip(PATH.sep) + str(PATH.sep)


def _quote_path(path: str) -> str:
    """Percent-encode a path; names that are not UTF-8 keep their bytes."""
    return quote(os.fsencode(path))
