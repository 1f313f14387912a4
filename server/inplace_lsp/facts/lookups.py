"""What the search for modules has found on the disk, kept from one analysis to the next while nothing there changes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import NamedTuple

from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText


class Place(NamedTuple):
    """What the answer to a question about a module depends on: modules of one folder import the same."""

    folder: str
    level: int
    name: str
    added: tuple[str, ...]


@dataclass(slots=True)
class Lookups:
    """Answers about modules, and the files and folders that they rest on.

    `answers` and `found` are the modules by question and by place, `texts` the files that were looked for, None for
    those that were not there; `packages` says which folders were, `added` which folders a module adds to `sys.path`.
    `folders` holds the time of the last change of each folder in which something was looked for.
    """

    answers: dict[ModuleQuestion, ModuleText | None] = field(default_factory=dict)
    found: dict[Place, ModuleText | None] = field(default_factory=dict)
    packages: dict[tuple[str, str], bool] = field(default_factory=dict)
    texts: dict[str, ModuleText | None] = field(default_factory=dict)
    added: dict[str, tuple[str, ...]] = field(default_factory=dict)
    folders: dict[str, int] = field(default_factory=dict)

    def note_folder(self, path: str) -> None:
        """Note the folder of `path`, before something is looked for in it; the nearest one above that is there."""
        folder = os.path.dirname(path)
        while folder not in self.folders:
            changed = _find_time_of_change(folder)
            if changed is None and os.path.dirname(folder) != folder:
                folder = os.path.dirname(folder)
            else:
                self.folders[folder] = changed or 0

    def has_same_folders(self) -> bool:
        """Return whether no file or folder has come or gone where something was looked for."""
        return all((_find_time_of_change(folder) or 0) == changed for folder, changed in self.folders.items())


def _find_time_of_change(folder: str) -> int | None:
    """Return when the last file came or went in a folder, in nanoseconds; None if there is no such folder."""
    try:
        return os.stat(folder).st_mtime_ns
    except (OSError, ValueError):
        return None
