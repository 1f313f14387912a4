"""Print findings while a check goes on: of one file after the other, once nothing can change them any more."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from inplace_lsp.cli.influence import Influence
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.sources import read_source
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.hazards.finding import Finding

PAUSE_SECONDS = 1.0
"""A check that is done sooner prints all at its end."""


class Stream:
    """What is printed so far. `settle` puts together what several reports say about a file; `write` prints it."""

    def __init__(
        self,
        jobs: Sequence[Job],
        settle: Callable[[Sequence[FileReport]], Sequence[Finding]],
        write: Callable[[Sequence[Finding], Sequence[FileReport]], None],
    ) -> None:
        self._jobs = jobs
        self._settle = settle
        self._write = write
        self._reports: dict[str, FileReport] = {}
        self._told: dict[str, list[FileReport]] = {}
        self._influence: Influence | None = None
        self._next = 0
        self._begin = time.monotonic() + PAUSE_SECONDS
        self.printed: list[Finding] = []

    def take_report(self, report: FileReport) -> None:
        """Take the report of a file that is done, and print what is certain by now."""
        self._reports[report.filename] = report
        for file in {finding.span.file for finding in report.findings}:
            self._told.setdefault(file, []).append(report)
        if time.monotonic() >= self._begin and len(self._reports) < len(self._jobs):
            while self._next < len(self._jobs) and self._is_settled(self._jobs[self._next].filename):
                self._print_file(self._jobs[self._next].filename)
                self._next += 1

    def _is_settled(self, file: str) -> bool:
        """Return whether a file is done, and so are all that may add to what is found in it."""
        if file not in self._reports:
            return False
        if self._influence is None:
            self._influence = Influence({job.filename: _read_text(job) for job in self._jobs})
        return self._influence.find_sources(file) <= self._reports.keys()

    def _print_file(self, file: str) -> None:
        order = {job.filename: at for at, job in enumerate(self._jobs)}
        reports = sorted(self._told.get(file, ()), key=lambda report: order[report.filename])
        found = [finding for finding in self._settle(reports) if finding.span.file == file]
        if found:
            self._write(found, reports)
            self.printed += found


def _read_text(job: Job) -> str:
    try:
        return read_source(job.filename, job.text).program
    except UnreadableError:
        return ""
