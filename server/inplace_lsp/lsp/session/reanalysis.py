"""The part of a session that starts analyses of open programs again."""

from __future__ import annotations

from collections.abc import Coroutine, Iterable
from typing import Protocol

from inplace_lsp.lsp.documents.result import Result


class Reanalysis(Protocol):
    """The part of a session that analyses programs again."""

    def analyse_document(self, uri: str, *, by_edit: bool = True) -> None:
        """Analyse the newest text of `uri`."""

    def importers_of(self, key: str) -> list[str]:
        """Return the other open programs that may depend on `key`."""

    def finished_results(self) -> Iterable[Result]:
        """Return the finished analyses of all open programs whose text has not changed since."""

    def refresh_client(self) -> None:
        """Ask the client to request its answers again."""

    def run_beside(self, work: Coroutine[object, object, None]) -> None:
        """Run `work` as a task."""
