"""When the files that open programs depend on were last written, for a session that has to poll the disk."""

from __future__ import annotations

import os
from collections.abc import Iterable

from inplace_lsp.disk import cut_path

CONFIGURATION = "pyproject.toml"


class DiskStamps:
    """The stamps of the last look. Nothing is read before polling starts."""

    def __init__(self) -> None:
        self._stamps: dict[str, float] = {}
        self._polled = False

    def start_polling(self, files: Iterable[str]) -> None:
        """Look at files for the first time."""
        self._polled = True
        self.note_files(files)

    def note_files(self, files: Iterable[str]) -> None:
        """Read the stamps of files that have none yet: a change from now on counts."""
        if self._polled:
            self._stamps.update({file: find_modification_time(file) for file in files if file not in self._stamps})

    def find_changes(self, files: Iterable[str]) -> list[str]:
        """Read the stamps of exactly these files; return those that have changed since the last time."""
        now = {file: find_modification_time(file) for file in files}
        changed = [file for file, stamp in now.items() if self._stamps.get(file, stamp) != stamp]
        self._stamps = now
        return changed


def list_configuration_files(filenames: Iterable[str]) -> set[str]:
    """Return the path of each pyproject.toml that is, or could be, above these files."""
    folders: set[str] = set()
    for name in filter(os.path.isabs, filenames):
        folder = os.path.dirname(cut_path(name))
        while folder not in folders:
            folders.add(folder)
            folder = os.path.dirname(folder)
    return {os.path.join(folder, CONFIGURATION) for folder in folders}


def find_modification_time(path: str) -> float:
    """Return when a file was last written; 0.0 if there is none."""
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return 0.0
