"""Notice changes on the disk: reported by the client or, where it cannot, found by polling."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Collection
from pathlib import PurePath

from inplace_lsp import config
from inplace_lsp.environments.find import forget_environments
from inplace_lsp.lsp.session.disk_stamps import CONFIGURATION, configuration_files
from inplace_lsp.lsp.session.session import Session

PATTERNS = (f"**/{CONFIGURATION}", "**/*.py", "**/.gitignore")
EVERY_SECONDS = 2.0
ROUNDS = 8
"""Looks at the open programs' own files for each look at the whole workspace."""


async def poll_disk(session: Session) -> None:
    """Poll the files that the open programs depend on and, if they are wanted, those of the workspace."""
    session.disk_stamps.start_polling(_files_to_poll(session))
    for number in itertools.count(1):
        await asyncio.sleep(EVERY_SECONDS)
        note_changes(session, session.disk_stamps.find_changes(_files_to_poll(session)))
        if number % ROUNDS == 0:
            session.disk_changed(())


def _files_to_poll(session: Session) -> set[str]:
    return configuration_files(session.open_filenames()) | session.imported_files()


def note_changes(session: Session, filenames: Collection[str]) -> None:
    """Handle files that were written, made or deleted."""
    if any(PurePath(filename).name == CONFIGURATION for filename in filenames):
        configuration_changed(session)
    if filenames:
        session.disk_changed([filename for filename in filenames if PurePath(filename).suffix in (".py", "")])


def configuration_changed(session: Session) -> None:
    """Read the configuration again, and reanalyse what depends on it."""
    config.forget_configs()
    forget_environments()
    session.reanalyse_all()
