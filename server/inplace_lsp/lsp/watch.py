"""Notice changes on the disk: reported by the client or, where it cannot, found by polling."""

from __future__ import annotations

import asyncio
import itertools
import os
from collections.abc import Collection, Iterable
from pathlib import Path, PurePath

from inplace_lsp import config
from inplace_lsp.lsp.session import Session

CONFIGURATION = "pyproject.toml"
PATTERNS = (f"**/{CONFIGURATION}", "**/*.py", "**/.gitignore")
EVERY_SECONDS = 2.0
ROUNDS = 8
"""Looks at the open programs' own files for each look at the whole workspace."""


async def poll_disk(session: Session) -> None:
    """Poll the files that the open programs depend on and, if they are wanted, those of the workspace."""
    seen: dict[str, float] = {}

    def remember(files: Iterable[str]) -> None:
        seen.update({file: _modification_time(file) for file in files if file not in seen})

    session.on_open.append(lambda program: remember(_configuration_files([program.filename])))
    session.on_result.append(lambda result: remember(result.read))
    remember((*_configuration_files(session.open_filenames()), *session.imported_files()))
    for number in itertools.count(1):
        await asyncio.sleep(EVERY_SECONDS)
        now = {
            configuration: _modification_time(configuration)
            for configuration in (*_configuration_files(session.open_filenames()), *session.imported_files())
        }
        note_changes(session, [file for file, stamp in now.items() if seen.get(file, stamp) != stamp])
        seen = now
        if number % ROUNDS == 0:
            session.disk_changed(())


def note_changes(session: Session, filenames: Collection[str]) -> None:
    """Handle files that were written, made or deleted."""
    if any(PurePath(filename).name == CONFIGURATION for filename in filenames):
        configuration_changed(session)
    if filenames:
        session.disk_changed([filename for filename in filenames if PurePath(filename).suffix in (".py", "")])


def configuration_changed(session: Session) -> None:
    """Read the configuration again, and reanalyse what depends on it."""
    config.forget_configs()
    session.reanalyse_all()


def _configuration_files(filenames: Iterable[str]) -> set[str]:
    """Return the path of each pyproject.toml that is, or could be, above these files."""
    folders = {folder for name in filenames for folder in Path(name).parents if Path(name).is_absolute()}
    return {str(folder / CONFIGURATION) for folder in folders}


def _modification_time(path: str) -> float:
    """Return when a file was last written; 0.0 if there is none."""
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return 0.0
