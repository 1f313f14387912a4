"""One check from the files to the exit status: what is asked for, step by step."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import click

from inplace_lsp import config
from inplace_lsp.across_files import settle
from inplace_lsp.cli import cache, fix, output, settings
from inplace_lsp.cli.baseline import Baseline, BaselineError, read_baseline
from inplace_lsp.cli.changes import Changes, GitError
from inplace_lsp.cli.problems import FAILED, Problems, problem
from inplace_lsp.cli.progress import with_progress
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.run import default_jobs, run
from inplace_lsp.cli.sources import Sources, notebooks_of
from inplace_lsp.cli.wanted import STDIN, Wanted
from inplace_lsp.config import Config, ConfigError
from inplace_lsp.files.read import UnreadableError, decode, read_stdin
from inplace_lsp.files.walk import CHECKED, find_files
from inplace_lsp.report.cells import as_file_lines
from inplace_lsp.report.formats import FORMATS, MissingPackageError
from inplace_lsp.report.outcome import Outcome


def check_once(wanted: Wanted) -> int:
    """Check what is wanted, print what is found, and return the exit status."""
    problems = Problems()
    given = _given(wanted, problems) if wanted.reads_stdin else {}
    try:
        work = _jobs(wanted, given, problems)
    except ConfigError as error:
        problem(str(error))
        return FAILED
    if wanted.show_files or wanted.show_settings:
        click.echo("\n".join(settings.lines(work, files=wanted.show_files)))
        return problems.status(found=False)
    try:
        return _Check(wanted, given, problems).of(work)
    except (BaselineError, GitError) as error:
        problem(str(error))
        return FAILED


class _Check:
    """A check under way."""

    def __init__(self, wanted: Wanted, given: Mapping[str, bytes], problems: Problems) -> None:
        self._wanted = wanted
        self._given = given
        self._problems = problems
        self._texts: dict[str, str] = {}

    def of(self, work: Sequence[Job]) -> int:
        """The exit status. Raises BaselineError and GitError."""
        wanted, problems = self._wanted, self._problems
        known, changes = self._known(), self._changes()
        self._texts = {job.filename: job.text for job in work if job.text is not None}
        reports = self._reports(work)
        if wanted.repair and wanted.diff:
            return self._show(reports, "repair")
        repairs = self._write(reports, "repair", "Repaired", "hazard") if wanted.repair else 0
        repaired = repairs > 0 and wanted.exit_non_zero_on_fix
        if wanted.repair and wanted.reads_stdin:  # standard output is the repaired text
            return problems.status(found=repaired)
        outcome = self._outcome(reports)
        if known is not None and wanted.write_baseline:
            return self._write_baseline(known, outcome)
        remark = ""
        if known is not None:
            outcome, remark = self._without_known(outcome, known)
        if changes is not None:
            outcome = _touched(outcome, changes)
        if wanted.suppress is not None:
            return self._suppress(outcome, reports, wanted.suppress)
        self._print(outcome, reports, remark)
        return problems.status(found=self._fails_for(outcome) or repaired)

    def _suppress(self, outcome: Outcome, reports: Sequence[FileReport], reason: str) -> int:
        """Write comments, print what is left, and return the exit status."""
        from inplace_lsp.cli import suppress  # noqa: PLC0415  (loads what edits texts)

        commented = suppress.with_comments(outcome.findings, reports, reason, self._given)
        if self._wanted.diff:
            return self._show(commented, "change")
        self._write(commented, "change", "Hid", "finding")
        if self._wanted.reads_stdin:
            return self._problems.status(found=False)
        left = replace(outcome, findings=suppress.left(outcome.findings, commented))
        self._print(left, reports)
        return self._problems.status(found=self._fails_for(left))

    def _fails_for(self, outcome: Outcome) -> bool:
        return any(map(self._wanted.counts, outcome.findings))

    def _known(self) -> Baseline | None:
        path = self._wanted.baseline
        return None if path is None else read_baseline(path, may_be_missing=self._wanted.write_baseline)

    def _changes(self) -> Changes | None:
        ref = self._wanted.changed_since
        return None if ref is None else Changes(ref, _folder(self._wanted))

    def _outcome(self, reports: Sequence[FileReport]) -> Outcome:
        sources = Sources(reports)
        findings = settle({report.filename: report.findings for report in reports}, sources.text)
        outcome = output.outcome_of(findings, reports, sources, notebooks_of(reports, self._texts))
        return replace(outcome, tolerated=self._wanted.tolerated)

    def _without_known(self, outcome: Outcome, known: Baseline) -> tuple[Outcome, str]:
        """The outcome without what the baseline has, and a line about that."""
        new, gone = known.compare(outcome.findings, outcome.sources, outcome.checked)
        hidden = len(outcome.findings) - len(new)
        parts = [f"{hidden} known"] * (hidden > 0)
        if gone and self._wanted.select is self._wanted.ignore is None:  # else nobody asked for some of them
            parts.append(f"{gone} gone (--write-baseline drops {'it' if gone == 1 else 'them'})")
        remark = f"Of those in {output.shown(known.path)}: {', '.join(parts)}." if parts else ""
        return replace(outcome, findings=new), remark

    def _write_baseline(self, known: Baseline, outcome: Outcome) -> int:
        made = known.rewritten(outcome.findings, outcome.sources, outcome.checked)
        made.write()
        if not self._wanted.quiet:
            number = len(made.known)
            click.echo(f"Wrote {number} finding{'s' * (number != 1)} to {output.shown(made.path)}.", err=True)
        return self._problems.status(found=False)

    def _reports(self, work: Sequence[Job]) -> list[FileReport]:
        """The report of every file, in the order of the files."""
        wanted = self._wanted
        kept = None if wanted.no_cache else cache.default_folder()
        jobs = [
            replace(job, fixes=wanted.show_fixes, types=wanted.infer_types, repair=wanted.repair, cache=kept)
            for job in work
        ]
        done = with_progress(run(jobs, wanted.jobs or default_jobs()), len(jobs), shown=not wanted.quiet)
        reports = _in_order(done, jobs)
        for report in reports:
            for why in report.errors:
                self._problems.report(f"{output.shown(report.filename)}: {why}")
        return reports

    def _show(self, reports: Iterable[FileReport], doing: str) -> int:
        """Print what would change, as a difference."""
        changed, failed = fix.show(reports, self._given)
        for why in failed:
            self._problems.report(why, doing)
        return self._problems.status(found=changed and not self._wanted.exit_zero)

    def _write(self, reports: Iterable[FileReport], doing: str, done: str, what: str) -> int:
        """Write the changed texts. Returns how many changes that makes."""
        changes, failed = fix.write(reports, self._given)
        for why in failed:
            self._problems.report(why, doing)
        if changes and not self._wanted.quiet:
            click.echo(f"{done} {changes} {what}{'s' * (changes != 1)}.", err=True)
        return changes

    def _print(self, outcome: Outcome, reports: Sequence[FileReport], remark: str = "") -> None:
        wanted = self._wanted
        self._write_findings(outcome)
        for_people = wanted.output_file is not None or FORMATS[wanted.output_format].for_people
        if wanted.statistics:
            output.write_statistics(reports, outcome, err=not for_people)
        if for_people and not wanted.quiet:
            output.write_summary(reports, outcome)
            if remark:
                click.echo(remark)

    def _write_findings(self, outcome: Outcome) -> None:
        form, file = self._wanted.output_format, self._wanted.output_file
        try:
            output.write(outcome, form, file)
        except OSError as error:
            if file is None:
                raise
            self._problems.report(f"the findings to {file}: {error.strerror or error}", "write")
        except MissingPackageError as error:
            self._problems.report(f"{form}: it {error}", "write")


def _touched(outcome: Outcome, changes: Changes) -> Outcome:
    """The outcome with those findings that lie in part on changed lines of their files. Raises GitError."""
    in_files = as_file_lines(outcome).findings
    pairs = zip(outcome.findings, in_files, strict=True)
    return replace(outcome, findings=[finding for finding, moved in pairs if changes.touch(moved)])


def _folder(wanted: Wanted) -> str:
    """Where git is asked about the commit: beside the first path."""
    first = os.path.abspath(next((path for path in wanted.paths if path != STDIN), "."))
    return first if os.path.isdir(first) else os.path.dirname(first)


def _given(wanted: Wanted, problems: Problems) -> dict[str, bytes]:
    """What is on standard input, by the name that it goes by."""
    try:
        return {os.path.abspath(wanted.stdin_filename or "stdin.py"): read_stdin()}
    except UnreadableError as error:
        problems.report(f"standard input: {error}")
        return {}


def _jobs(wanted: Wanted, given: Mapping[str, bytes], problems: Problems) -> list[Job]:
    paths = wanted.paths or (".",)
    files = find_files(tuple(path for path in paths if path != STDIN), problems.report, CHECKED)
    found = (Job(file, _config(file, wanted)) for file in files)
    jobs = [job for job in found if not _is_left_out(job, wanted)]
    for name, data in given.items():
        try:
            jobs.append(Job(name, _config(name, wanted), decode(data)))
        except UnreadableError as error:
            problems.report(f"standard input: {error}")
    return jobs


def _is_left_out(job: Job, wanted: Wanted) -> bool:
    """Hooks give every file by name."""
    return wanted.force_exclude and job.config.excludes(job.filename)


def _config(file: str, wanted: Wanted) -> Config:
    """The file's configuration, with what the command line says instead."""
    found = config.for_file(file)
    return replace(
        found,
        select=found.select if wanted.select is None else wanted.select,
        ignore=found.ignore if wanted.ignore is None else wanted.ignore,
    )


def _in_order(reports: Iterable[FileReport], jobs: list[Job]) -> list[FileReport]:
    order = {job.filename: index for index, job in enumerate(jobs)}
    return sorted(reports, key=lambda report: order[report.filename])
