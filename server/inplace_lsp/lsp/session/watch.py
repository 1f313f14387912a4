"""Notice changes on the disk: reported by the client or, where it cannot, found by polling."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Collection
from pathlib import PurePath

from inplace_lsp import config
from inplace_lsp.environments.find import forget_environments
from inplace_lsp.lsp.session.disk_stamps import CONFIGURATION, list_configuration_files
from inplace_lsp.lsp.session.session import Session

PATTERNS = (f"**/{CONFIGURATION}", "**/*.py", "**/.gitignore")
EVERY_SECONDS = 2.0
ROUNDS = 8
"""Number of looks at the files of open programs for each look at the whole workspace."""


async def poll_disk(session: Session) -> None:
    """Poll the files that the open programs depend on and, if they are wanted, those of the workspace."""
    session.disk_stamps.start_polling(_list_files_to_poll(session))
    for number in itertools.count(1):
        await asyncio.sleep(EVERY_SECONDS)
        note_changes(session, session.disk_stamps.find_changes(_list_files_to_poll(session)))
        if number % ROUNDS == 0:
            session.note_disk_changes(())


def _list_files_to_poll(session: Session) -> set[str]:
    return list_configuration_files(session.open_filenames()) | session.imported_files()


def note_changes(session: Session, filenames: Collection[str]) -> None:
    """Handle files that were written, made or deleted."""
    if any(PurePath(filename).name == CONFIGURATION for filename in filenames):
        reload_configuration(session)
    if filenames:
        session.note_disk_changes([filename for filename in filenames if PurePath(filename).suffix in (".py", "")])


def reload_configuration(session: Session) -> None:
    """Read the configuration again, and reanalyse what depends on it."""
    config.forget_configs()
    forget_environments()
    session.reanalyse_all()
