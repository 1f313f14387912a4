"""Read .gitignore files as git does: of every folder from the repository's root down, the deepest match decides."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from pathspec import GitIgnoreSpec

from inplace_lsp.disk import UnfitError, read_bytes
from inplace_lsp.patterns import read_patterns

Report = Callable[[str], None]
LARGEST = 64_000
"""Maximum size in bytes of a .gitignore: each of its patterns costs time for each file."""


@dataclass(frozen=True, slots=True)
class GitIgnore:
    """The .gitignore files in force in a folder, from the outermost to the folder's own."""

    specs: tuple[tuple[Path, GitIgnoreSpec], ...] = ()

    @staticmethod
    def find_above(folder: Path, report: Report) -> GitIgnore:
        """Return the rules of the folders above `folder` (absolute), if it lies in a git repository."""
        above: list[Path] = []
        if (folder / ".git").exists():
            return GitIgnore()
        for parent in folder.parents:
            above.append(parent)
            if (parent / ".git").exists():
                found = GitIgnore()
                for outer in reversed(above):
                    found = found.add_folder(outer, report)
                return found
        return GitIgnore()

    def add_folder(self, folder: Path, report: Report) -> GitIgnore:
        """Return these rules and those of the .gitignore in `folder`, if there is one. Call `report` with the reason if
        it cannot be read."""
        path = folder / ".gitignore"
        try:
            text = read_bytes(path, LARGEST).decode("utf-8-sig", "replace")
        except UnfitError as error:
            report(f"{path}: {error.strerror}; it is ignored")
            return self
        except OSError:
            return self
        return GitIgnore((*self.specs, (folder, _parse_patterns(text.splitlines()))))

    def ignores(self, path: str, is_dir: bool) -> bool:
        """Return whether git ignores `path` (absolute)."""
        for folder, spec in reversed(self.specs):
            relative = Path(path).relative_to(folder).as_posix() + "/" * is_dir
            include = spec.check_file(relative).include
            if include is not None:
                return include
        return False


def _parse_patterns(lines: list[str]) -> GitIgnoreSpec:
    """Parse the lines of a .gitignore. As git does, skip those that are no valid pattern."""
    try:
        return read_patterns(lines)
    except ValueError:
        return read_patterns([line for line in lines if _is_valid(line)])


def _is_valid(line: str) -> bool:
    try:
        read_patterns([line])
    except ValueError:
        return False
    return True
