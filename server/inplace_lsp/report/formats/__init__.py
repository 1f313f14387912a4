"""The table of formats, a file for each. A format is loaded on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from types import ModuleType
from typing import TextIO

from inplace_lsp.report.cells import move_to_cells, move_to_file_lines
from inplace_lsp.report.outcome import Outcome

Places = Callable[[Outcome], Outcome]


def _keep_places(outcome: Outcome) -> Outcome:
    """Return the places unchanged: the format handles notebooks itself."""
    return outcome


@dataclass(frozen=True, slots=True)
class Format:
    """A format of `check`."""

    module: str
    """The module of this package whose `write` writes the format."""
    summary: str
    """What the format is, in a few words."""
    for_people: bool = False
    """Whether a summary may follow in the same stream."""
    streams: bool = False
    """Whether the findings may be written in several parts."""
    repairs: bool = False
    """Whether it shows the repairs of `--show-fixes`."""
    places: Places = move_to_file_lines
    """Moves places in notebooks to what the format can name."""

    def write(self, outcome: Outcome, file: TextIO) -> None:
        """Write the findings to `file`."""
        self.load_module().write(self.places(outcome), file)

    def load_module(self) -> ModuleType:
        """Import the format's module."""
        return import_module(f"{__name__}.{self.module}")


_FULL = Format(
    "full",
    "with a code frame, what is assumed and where else to look",
    for_people=True,
    streams=True,
    repairs=True,
    places=move_to_cells,
)
FORMATS = {
    "full": _FULL,
    "text": _FULL,  # its first name
    "concise": Format("concise", "one line per finding", for_people=True, streams=True, places=move_to_cells),
    "json": Format("as_array", "one JSON array", repairs=True, places=_keep_places),
    "json-lines": Format("as_lines", "one JSON object per line", streams=True, repairs=True, places=_keep_places),
    "agent": Format(
        "agent", "JSON with source lines and repairs as diffs, for coding agents", repairs=True, places=_keep_places
    ),
    "github": Format("github", "annotations of GitHub Actions", streams=True),
    "markdown": Format("markdown", "a table for a job's summary or a comment", repairs=True),
    "gitlab": Format("gitlab", "the code quality report of GitLab"),
    "junit": Format("junit", "JUnit's XML, a test suite a file", places=move_to_cells),
    "sarif": Format("sarif", "SARIF 2.1.0, for code scanning", repairs=True),
    "rdjson": Format("rdjson", "reviewdog's JSON", repairs=True),
}
"""The formats by their names for `--output-format`."""
