"""Reanalyse the open files that import an edited module, once typing pauses."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from inplace_lsp.lsp.session.reanalysis import Reanalysis


PAUSE_SECONDS = 0.4


class Importers:
    """Waits for a pause in typing, then reanalyses the importers of all edited programs."""

    def __init__(self, session: Reanalysis) -> None:
        self._session = session
        self._edited: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def note_edit(self, key: str) -> None:
        """Note that the text of `key` changed (or was saved, or closed)."""
        self._edited.add(key)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._analyse_importers)

    def _analyse_importers(self) -> None:
        importers = {importer for key in self._edited for importer in self._session.importers_of(key)}
        self._edited.clear()
        for key in importers:
            self._session.analyse_document(key, by_edit=False)
        if importers:
            self._session.refresh_client()
