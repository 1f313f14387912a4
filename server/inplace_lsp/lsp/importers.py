"""An edit of a module may change what is found in the open files that import it: they follow when the typing pauses."""

from __future__ import annotations

import asyncio

from inplace_lsp.lsp.session import Session

PAUSE_SECONDS = 0.4


class Importers:
    """Waits for a pause, then has the importers of all edited programs analysed again."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._edited: set[str] = set()
        self._timer: asyncio.TimerHandle | None = None

    def edited(self, key: str) -> None:
        """The text of `key` is new (or it was saved, or closed)."""
        self._edited.add(key)
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(PAUSE_SECONDS, self._follow)

    def _follow(self) -> None:
        importers = {one for key in self._edited for one in self._session.importers_of(key)}
        self._edited.clear()
        for key in importers:
            self._session.changed(key, by_edit=False)
        if importers:
            self._session.refresh()
