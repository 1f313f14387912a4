"""`check --fix` across files: repair writes that a call in another file makes a hazard.

Every file has already been repaired by itself. This repairs a file's remaining findings in other files, at the write
or, if nothing helps there, in the calling file, by copies for its ops.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from inplace_lsp.across_files import check_both
from inplace_lsp.analysis import Analysis, NotAnalysed, fault_of
from inplace_lsp.cli.excluded_findings import drop_excluded
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.facts.models import make_facts
from inplace_lsp.fixes.offer import Analyse, fixes_for, fixes_in_caller
from inplace_lsp.hazards.edits import apply_edits
from inplace_lsp.hazards.finding import Finding, Fix
from inplace_lsp.notebooks import SUFFIX
from inplace_lsp.project import check_text

AT_MOST = 50
"""Maximum number of repairs for the calls of one file."""


def repair_across(reports: Sequence[FileReport], jobs: Sequence[Job]) -> list[FileReport]:
    """Return the reports after the repairs that involve two files."""
    plain = {
        before.filename: before for before in reports if before.error is None and not before.filename.endswith(SUFFIX)
    }
    between = _RepairPass(plain, jobs)
    for file, report in plain.items():
        if any(found.span.file != file for found in report.findings):
            between.repair_calls_of(file)
    return [between.report_again(before) for before in reports]


@dataclass(frozen=True, slots=True)
class _EditedFile:
    """A repair and the file that it edits."""

    file: str
    fix: Fix


class _RepairPass:
    """The repairs between files; reports are by file name."""

    def __init__(self, reports: Mapping[str, FileReport], jobs: Sequence[Job]) -> None:
        self._texts = {file: report.after for file, report in reports.items()}
        self._changed = {file for file, report in reports.items() if report.after != report.before}
        self._made: Counter[str] = Counter()
        self._lost: dict[str, list[NotAnalysed]] = {}
        self._configs = {job.filename: job.config for job in jobs}
        self._excluded = frozenset(chain.from_iterable(job.excluded for job in jobs))
        self._unsafe = any(job.repair == "unsafe" for job in jobs)

    def repair_calls_of(self, file: str) -> None:
        """Repair the hazards in other files that the calls in one file cause."""
        done: set[tuple[str, str]] = set()
        for _ in range(AT_MOST):
            analysis = self._make_checker(self._texts)(self._texts[file], file)
            wanted = drop_excluded(analysis, self._excluded, self._texts).findings
            waiting = (found for found in wanted if found.span.file != file and _identify_finding(found) not in done)
            finding = next(waiting, None)
            if finding is None:
                return
            edited = self._try_repair(file, finding, analysis)
            if edited is None:
                done.add(_identify_finding(finding))
                continue
            self._texts[edited.file] = apply_edits(self._texts[edited.file], edited.fix.edits)
            self._made[edited.file] += 1
            self._changed.add(edited.file)

    def report_again(self, report: FileReport) -> FileReport:
        """Return the report of a file after the repairs; the same report if they cannot affect it."""
        file = report.filename
        report = replace(report, gaps=(*report.gaps, *self._lost.get(file, ())))
        others = {finding.span.file for finding in report.findings} - {file}
        if file not in self._texts or (file not in self._made and self._changed.isdisjoint(others)):
            return report
        text = self._texts[file]
        analysis = self._make_checker(self._texts)(text, file)
        found = tuple(replace(finding, story=()) for finding in analysis.findings)
        repairs = report.repairs + self._made[file]
        checked = replace(
            report, findings=found, gaps=analysis.with_gaps(self._lost.get(file, ())).gaps, text=text if found else ""
        )
        return replace(checked, after=text, repairs=repairs)

    def _try_repair(self, file: str, finding: Finding, analysis: Analysis) -> _EditedFile | None:
        """Return what `_find_repair` does; an internal error costs the finding its repair, and is noted."""
        try:
            return self._find_repair(file, finding, analysis)
        except Exception as error:
            self._lost.setdefault(file, []).append(fault_of(finding.function, finding.span, error))
            return None

    def _find_repair(self, file: str, finding: Finding, analysis: Analysis) -> _EditedFile | None:
        """Return the best allowed repair: at the write if that file is checked, else in the caller."""
        offers = chain(self._find_at_write(file, finding), self._find_in_caller(file, finding, analysis))
        return next((offer for offer in offers if self._unsafe or offer.fix.applicability == "safe"), None)

    def _find_at_write(self, file: str, finding: Finding) -> Iterator[_EditedFile]:
        other = finding.span.file
        if other in self._texts:
            check = check_both(
                file, self._texts[file], other, lambda texts: self._make_checker({**self._texts, **texts})
            )
            yield from (_EditedFile(other, fix) for fix in fixes_for(self._texts[other], finding, analyse=check))

    def _find_in_caller(self, file: str, finding: Finding, analysis: Analysis) -> Iterator[_EditedFile]:
        fixes = fixes_in_caller(self._texts[file], file, finding, analysis, self._make_checker(self._texts))
        yield from (_EditedFile(file, fix) for fix in fixes)

    def _make_checker(self, texts: Mapping[str, str]) -> Analyse:
        """Return a function that checks one file as if all files had the contents in `texts`."""

        def check_with_texts(text: str, filename: str) -> Analysis:
            config = self._configs[filename]
            others = {file: text for file, text in texts.items() if file != filename}
            return check_text(text, filename, config, make_facts(config, others))

        return check_with_texts


def _identify_finding(finding: Finding) -> tuple[str, str]:
    """Return what identifies a finding when lines have moved."""
    return finding.code, f"{finding.span.file} {finding.message}"
