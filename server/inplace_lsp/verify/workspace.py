"""The project's files as the search for real calls sees them: tests and examples first, read only as far as needed."""

from __future__ import annotations

import difflib
import os
import time
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from inplace_lsp.config import ConfigError
from inplace_lsp.facts.search import find_project_root
from inplace_lsp.files.read import UnreadableError, read_source_file
from inplace_lsp.files.walk import find_files
from inplace_lsp.verify.inputs.model import SourceFile
from inplace_lsp.verify.target import place_of

SECONDS = 1.0
"""Of a processor, so that nothing hangs on the load; looking through the files for one word may take so long: a project
can have very many."""
_LIKELY = ("test", "example", "demo", "script", "train", "main")


class ProjectFiles:
    """The files round one file. `opened` are texts that are newer than the disk's, by file name."""

    def __init__(self, filename: str, opened: Mapping[str, str] | None = None) -> None:
        self._filename = filename
        self._opened = opened or {}

    def files_mentioning(self, word: str, /) -> Iterator[SourceFile]:
        """Files whose text holds `word`, the likeliest callers first."""
        end = time.thread_time() + SECONDS
        for path in self._all_paths():
            if time.thread_time() > end:
                return
            text = self._text_of(path)
            if word in text and path != self._filename:
                yield SourceFile(path, text, place_of(path).module)

    def module(self, name: str, /) -> SourceFile | None:
        """Return the file of a module, looked for where the verified file imports from."""
        for root in (*place_of(self._filename).path, os.path.dirname(self._filename)) if name else ():
            stem = os.path.join(root, *name.split("."))
            for path in (f"{stem}.py", os.path.join(stem, "__init__.py")):
                if path in self._opened or os.path.isfile(path):
                    return SourceFile(path, self._text_of(path), name)
        return None

    def data(self, name: str, /) -> str | None:
        """Return the text of a file of the project, by a path from the verified file's folder or from the project's;
        where it is not there, of the file beside it whose name is the nearest."""
        if not os.path.isabs(self._filename) or os.path.isabs(name):
            return None
        folders = (os.path.dirname(self._filename), *place_of(self._filename).path)
        paths = (os.path.join(folder, name) for folder in folders)
        found = next((path for path in paths if os.path.isfile(path)), None) or _nearest_name(folders, name)
        return self._text_of(found) or None if found is not None else None

    def _all_paths(self) -> list[str]:
        if not os.path.isabs(self._filename):  # an editor's text that was never saved
            return []
        root = find_project_root(os.path.dirname(self._filename))
        try:
            found = find_files((root,), lambda _: None) if root is not None else _sibling_files(Path(self._filename))
        except ConfigError:
            found = _sibling_files(Path(self._filename))
        return sorted(found, key=lambda path: (not _is_likely(path), _folders_between(path, self._filename), path))

    def _text_of(self, path: str) -> str:
        if path in self._opened:
            return self._opened[path]
        try:
            return read_source_file(path)
        except UnreadableError:
            return ""


def _nearest_name(folders: Iterable[str], name: str) -> str | None:
    """Return the file of the same kind whose name is the nearest to one that is not there, in the same folder."""
    wanted, ending = os.path.basename(name), os.path.splitext(name)[1]
    for folder in (os.path.dirname(os.path.join(folder, name)) for folder in folders):
        there = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        near = difflib.get_close_matches(wanted, [other for other in there if other.endswith(ending)], n=1)
        if near:
            return os.path.join(folder, near[0])
    return None


def _sibling_files(path: Path) -> list[str]:
    """Return the files of the same folder, for a file outside any project."""
    try:
        return [str(file) for file in path.parent.iterdir() if file.suffix == ".py" and file.is_file()]
    except OSError:
        return []


def _is_likely(path: str) -> bool:
    return any(word in part for part in Path(path).parts[-3:] for word in _LIKELY)


def _folders_between(path: str, other: str) -> int:
    """Return the number of folders between two files."""
    shared = len(os.path.commonpath([path, other]))
    return path[shared:].count(os.sep) + other[shared:].count(os.sep)
