"""What changes on the disk: told by the client, or, where it cannot tell, noticed by looking again and again."""

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


async def poll(session: Session) -> None:
    """Look at the files that the open programs depend on, and, if somebody wants to know, at the workspace's."""
    seen: dict[str, float] = {}

    def remember(files: Iterable[str]) -> None:
        seen.update({one: _stamp(one) for one in files if one not in seen})

    session.on_open.append(lambda program: remember(_configurations([program.filename])))
    session.on_result.append(lambda result: remember(result.read))
    remember((*_configurations(session.filenames()), *session.imported()))
    for number in itertools.count(1):
        await asyncio.sleep(EVERY_SECONDS)
        now = {one: _stamp(one) for one in (*_configurations(session.filenames()), *session.imported())}
        noticed(session, [one for one, stamp in now.items() if seen.get(one, stamp) != stamp])
        seen = now
        if number % ROUNDS == 0:
            session.disk_changed(())


def noticed(session: Session, filenames: Collection[str]) -> None:
    """These files were written, made or deleted."""
    if any(PurePath(one).name == CONFIGURATION for one in filenames):
        configuration_changed(session)
    if filenames:
        session.disk_changed([one for one in filenames if PurePath(one).suffix in (".py", "")])


def configuration_changed(session: Session) -> None:
    """Read it anew, and analyse what depends on it."""
    config.forget()
    session.reanalyse()


def _configurations(filenames: Iterable[str]) -> set[str]:
    """Where each pyproject.toml above these files is, or would be."""
    folders = {folder for name in filenames for folder in Path(name).parents if Path(name).is_absolute()}
    return {str(folder / CONFIGURATION) for folder in folders}


def _stamp(path: str) -> float:
    """When a file was written last; 0.0 for one that is not there."""
    try:
        return os.stat(path).st_mtime
    except (OSError, ValueError):
        return 0.0
