"""Print findings while a check goes on, file by file, as soon as nothing can change them any more.

Files of a package that all import each other wait for the last of them. If that takes long, errors (which assume
nothing) are printed earlier: no other file can remove one, only add another way to it.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from inplace_lsp.cli.influence import Influence
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.sources import read_source
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.model import Span

PAUSE_SECONDS = 1.0
"""Seconds before the first output: a shorter check prints everything at its end."""
HOLD_SECONDS = 5.0
"""Seconds without output after which errors are printed that wait for other files."""


class Stream:
    """The printed findings. `settle` merges what several reports say about a file; `write` prints findings."""

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
        self._reports_about: dict[str, list[FileReport]] = {}
        self._influence: Influence | None = None
        self._next = 0
        self._begin = time.monotonic() + PAUSE_SECONDS
        self._last = self._begin
        self._printed: set[tuple[Span, str]] = set()

    def take_report(self, report: FileReport) -> None:
        """Take the report of a file that is done, and print the findings that are now final."""
        self._reports[report.filename] = report
        for file in {finding.span.file for finding in report.findings}:
            self._reports_about.setdefault(file, []).append(report)
        if time.monotonic() >= self._begin and len(self._reports) < len(self._jobs):
            while self._next < len(self._jobs) and self._is_settled(self._jobs[self._next].filename):
                self._print_file(self._jobs[self._next].filename)
                self._next += 1
            if time.monotonic() >= self._last + HOLD_SECONDS:
                self._print_errors()

    def is_printed(self, finding: Finding) -> bool:
        """Return whether the finding was printed, perhaps before other files added to it."""
        return (finding.span, finding.code) in self._printed

    def _is_settled(self, file: str) -> bool:
        """Return whether a file is done, and all files that may add findings to it are, too."""
        if file not in self._reports:
            return False
        if self._influence is None:
            self._influence = Influence({job.filename: _read_text(job) for job in self._jobs})
        return self._influence.find_sources(file) <= self._reports.keys()

    def _print_file(self, file: str) -> None:
        order = {job.filename: at for at, job in enumerate(self._jobs)}
        reports = sorted(self._reports_about.get(file, ()), key=lambda report: order[report.filename])
        self._write_new([finding for finding in self._settle(reports) if finding.span.file == file], reports)

    def _print_errors(self) -> None:
        """Print the errors of all files that are done."""
        reports = [self._reports[job.filename] for job in self._jobs if job.filename in self._reports]
        self._write_new([finding for finding in self._settle(reports) if finding.severity == "error"], reports)
        self._last = time.monotonic()

    def _write_new(self, findings: Sequence[Finding], reports: Sequence[FileReport]) -> None:
        """Print those of the findings that were not printed yet."""
        found = [finding for finding in findings if not self.is_printed(finding)]
        if found:
            self._write(found, reports)
            self._printed.update((finding.span, finding.code) for finding in found)
            self._last = time.monotonic()


def _read_text(job: Job) -> str:
    try:
        return read_source(job.filename, job.text).program
    except UnreadableError:
        return ""
