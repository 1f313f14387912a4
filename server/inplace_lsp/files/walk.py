"""Find the files of a check: the paths given, and below folders what .gitignore and configuration leave."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from inplace_lsp import config
from inplace_lsp.files.gitignore import GitIgnore, Report

PYTHON = (".py",)
"""Suffixes of the files that hold plain Python."""
CHECKED = (".py", ".ipynb")
"""Suffixes of the files that can be checked."""
_SKIPPED = """
    .bzr .direnv .eggs .git .git-rewrite .hg .ipynb_checkpoints .mypy_cache .nox .pants.d .pyenv .pytest_cache .pytype
    .ruff_cache .svn .tox .venv .vscode __pycache__ __pypackages__ _build buck-out build dist node_modules site-packages
    venv
"""
SKIPPED = frozenset(_SKIPPED.split())
"""Folders that hold no code of the project: ruff's list, and __pycache__."""


class IsExcluded(Protocol):
    """A function that decides what a walk leaves out."""

    def __call__(self, configuration: config.Config, filename: str, /, *, is_dir: bool) -> bool:
        """Return whether a file or folder is left out, in a folder with this configuration."""


def find_files(
    paths: tuple[str, ...],
    report: Report,
    suffixes: tuple[str, ...] = PYTHON,
    *,
    lenient: bool = False,
    is_excluded: IsExcluded = config.Config.is_excluded,
) -> list[str]:
    """Return the absolute names of the files with these suffixes, each once. A file given by name is always included.

    `report` is called for every path that does not exist and every folder that cannot be read. A broken configuration
    raises ConfigError; if `lenient`, it is replaced by the defaults, and reading it for a file reports the error.
    """
    found: dict[str, None] = {}
    configure = config.usable_config if lenient else config.config_for_folder
    for path in paths:
        absolute = os.path.abspath(path)
        if os.path.isdir(absolute):
            found.update(dict.fromkeys(_Walk(report, suffixes, configure, is_excluded).find_files_below(absolute)))
        elif os.path.lexists(absolute):
            found[absolute] = None
        else:
            report(f"{path}: no such file or folder")
    return list(found)


@dataclass(frozen=True)
class _Walk:
    """A walk over folders; `configure` returns the configuration for the files in one."""

    report: Report
    suffixes: tuple[str, ...]
    configure: Callable[[Path], config.Config]
    is_excluded: IsExcluded

    def find_files_below(self, folder: str) -> Iterator[str]:
        """Yield the files below a folder, however deep."""
        waiting = [self._list_folder(folder, GitIgnore.find_above(Path(folder), self.report))]
        while waiting:
            path, inside = next(waiting[-1], ("", None))
            if inside is not None:
                waiting.append(self._list_folder(path, inside))
            elif path:
                yield path
            else:
                waiting.pop()

    def _list_folder(self, folder: str, ignore: GitIgnore) -> Iterator[tuple[str, GitIgnore | None]]:
        """Yield the wanted files in a folder, and its folders, each with what is ignored there."""
        try:
            with os.scandir(folder) as entries:
                inside = sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            self.report(f"{folder}: {error.strerror or error}")
            return
        wanted = self.configure(Path(folder))
        ignore = ignore.add_folder(Path(folder), self.report)
        for entry in inside:
            is_dir = entry.is_dir(follow_symlinks=False)
            if (
                _is_skipped(entry)
                or ignore.ignores(entry.path, is_dir)
                or self.is_excluded(wanted, entry.path, is_dir=is_dir)
            ):
                continue
            if is_dir:
                yield entry.path, ignore
            elif entry.name.endswith(self.suffixes) and _is_file(entry):
                yield entry.path, None


def _is_file(entry: os.DirEntry[str]) -> bool:
    """Return whether there is a file to read. Circular links are skipped, as broken ones are."""
    try:
        return entry.is_file()
    except OSError:
        return False


def _is_skipped(entry: os.DirEntry[str]) -> bool:
    """Return whether a folder is never searched: because of its name, or because it is a virtual environment."""
    if not entry.is_dir(follow_symlinks=False):
        return False
    return entry.name in SKIPPED or os.path.exists(os.path.join(entry.path, "pyvenv.cfg"))
