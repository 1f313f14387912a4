"""Results of the search for modules on the disk, kept from one analysis to the next until the disk changes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import NamedTuple

from inplace_lsp.interpret.state.facts import ModuleQuestion, ModuleText


class Place(NamedTuple):
    """Everything that the search for a module depends on: modules of one folder import the same."""

    folder: str
    level: int
    name: str
    added: tuple[str, ...]


@dataclass(slots=True)
class Lookups:
    """Answers about modules, and the files and folders that they rest on."""

    answers: dict[ModuleQuestion, ModuleText | None] = field(default_factory=dict)
    found: dict[Place, ModuleText | None] = field(default_factory=dict)
    """The modules by place."""
    packages: dict[tuple[str, str], bool] = field(default_factory=dict)
    """Whether a root holds the folder of a package, by both names."""
    texts: dict[str, ModuleText | None] = field(default_factory=dict)
    """The files that were looked for; None for those that do not exist."""
    added: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The folders that a module adds to `sys.path`."""
    folders: dict[str, int] = field(default_factory=dict)
    """The time of the last change of each folder in which something was looked for."""

    def note_folder(self, path: str) -> None:
        """Note the folder of `path` before a search in it; if it does not exist, the nearest existing one above."""
        folder = os.path.dirname(path)
        while folder not in self.folders:
            changed = _find_time_of_change(folder)
            if changed is None and os.path.dirname(folder) != folder:
                folder = os.path.dirname(folder)
            else:
                self.folders[folder] = changed or 0

    def has_same_folders(self) -> bool:
        """Return whether no file or folder has appeared or gone in the searched folders."""
        return all((_find_time_of_change(folder) or 0) == changed for folder, changed in self.folders.items())


def _find_time_of_change(folder: str) -> int | None:
    """Return when the names in a folder last changed, in nanoseconds; None if there is no such folder."""
    try:
        return os.stat(folder).st_mtime_ns
    except (OSError, ValueError):
        return None
