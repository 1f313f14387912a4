"""Notice a changed pyproject.toml where the client cannot tell."""

from __future__ import annotations

import asyncio
from pathlib import Path

from inplace_lsp import config
from inplace_lsp.lsp.session import Session

CONFIGURATION = "pyproject.toml"
EVERY_SECONDS = 2.0


async def poll(session: Session) -> None:
    """Look at the files that the open programs depend on, again and again."""
    seen = _stamps(session)
    session.on_open.append(lambda: seen.update({**_stamps(session), **seen}))
    while True:
        await asyncio.sleep(EVERY_SECONDS)
        now = _stamps(session)
        if any(seen.get(path, stamp) != stamp for path, stamp in now.items()):
            configuration_changed(session)
        seen.update(now)


def configuration_changed(session: Session) -> None:
    """Read it anew, and analyse what depends on it."""
    config.forget()
    session.reanalyse()


def _stamps(session: Session) -> dict[Path, float]:
    """When each pyproject.toml above an open file was written last; 0.0 for one that is not there."""
    folders = {folder for name in session.filenames() for folder in Path(name).parents if Path(name).is_absolute()}
    return {folder / CONFIGURATION: _stamp(folder / CONFIGURATION) for folder in folders}


def _stamp(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
