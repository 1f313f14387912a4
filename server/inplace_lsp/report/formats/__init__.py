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


def _in_program(outcome: Outcome) -> Outcome:
    """Return the places unchanged: the format handles notebooks itself."""
    return outcome


@dataclass(frozen=True, slots=True)
class Format:
    """A format: the module here that has its `write`, and what it is in a few words. `for_people`: a summary may follow
    in the same stream. `streams`: the findings may be written in several parts. `repairs`: it shows those of
    `--show-fixes`. `places`: how it names those in notebooks."""

    module: str
    summary: str
    for_people: bool = False
    streams: bool = False
    repairs: bool = False
    places: Places = move_to_file_lines

    def write(self, outcome: Outcome, file: TextIO) -> None:
        """Write the findings to `file`."""
        self.load().write(self.places(outcome), file)

    def load(self) -> ModuleType:
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
    "json": Format("as_array", "one JSON array", repairs=True, places=_in_program),
    "json-lines": Format("as_lines", "one JSON object per line", streams=True, repairs=True, places=_in_program),
    "agent": Format(
        "agent", "JSON with source lines and repairs as diffs, for coding agents", repairs=True, places=_in_program
    ),
    "github": Format("github", "annotations of GitHub Actions", streams=True),
    "markdown": Format("markdown", "a table for a job's summary or a comment", repairs=True),
    "gitlab": Format("gitlab", "the code quality report of GitLab"),
    "junit": Format("junit", "JUnit's XML, a test suite a file", places=move_to_cells),
    "sarif": Format("sarif", "SARIF 2.1.0, for code scanning", repairs=True),
    "rdjson": Format("rdjson", "reviewdog's JSON", repairs=True),
}
"""Each by the name that `--output-format` knows it by."""
