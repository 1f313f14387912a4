"""One check, step by step from the files to the exit status."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import click

from inplace_lsp import config
from inplace_lsp.across_files import settle_findings
from inplace_lsp.cli import cache, fix, output, settings
from inplace_lsp.cli.baseline import Baseline, BaselineError, read_baseline
from inplace_lsp.cli.changes import Changes, GitError
from inplace_lsp.cli.check_options import STDIN, CheckOptions
from inplace_lsp.cli.excluded_findings import mark_findings
from inplace_lsp.cli.interrupts import Cut, describe_interrupt, raise_on_termination
from inplace_lsp.cli.model_files import describe_mistakes
from inplace_lsp.cli.packages import describe_environments
from inplace_lsp.cli.problems import FAILED, Problems, describe_exception, print_problem
from inplace_lsp.cli.progress import NoLine, show_progress
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.run import count_processors, run_elsewhere, run_jobs
from inplace_lsp.cli.sources import Sources, find_checked_notebooks
from inplace_lsp.cli.stream import Stream
from inplace_lsp.config import Config, ConfigError
from inplace_lsp.executors import HERE, ExecutorError, parse_executor
from inplace_lsp.files.read import UnreadableError, decode_source, read_stdin
from inplace_lsp.files.walk import CHECKED, find_files
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.cells import move_to_file_lines
from inplace_lsp.report.formats import FORMATS
from inplace_lsp.report.outcome import Failure, Outcome
from inplace_lsp.report.summary import count_noun, format_repairs


def check_once(wanted: CheckOptions) -> int:
    """Run a check, print its findings and return the exit status."""
    problems = Problems(tolerated=wanted.exit_zero)
    given = _read_stdin(wanted, problems) if wanted.reads_stdin else {}
    try:
        work = _find_jobs(wanted, given, problems)
    except ConfigError as error:  # files that configuration excludes must not be written to
        print_problem(str(error))
        return FAILED
    if wanted.show_files or wanted.show_settings:
        click.echo("\n".join(settings.list_settings(work, files=wanted.show_files)))
        return problems.find_status(found=False)
    for line in describe_mistakes(work):
        print_problem(line)
    try:
        with raise_on_termination():
            return _CheckRun(wanted, given, problems).run_check(work)
    except (BaselineError, GitError, ExecutorError) as error:
        print_problem(str(error))
        return FAILED


@dataclass(frozen=True)
class _Limits:
    """The findings that are not reported: those of the baseline `known`, and those on lines without `changes`."""

    known: Baseline | None
    changes: Changes | None


class _CheckRun:
    """A check in progress."""

    def __init__(self, wanted: CheckOptions, given: Mapping[str, bytes], problems: Problems) -> None:
        self._wanted = wanted
        self._given = given
        self._problems = problems
        self._unread = tuple(problems.unchecked)
        self._texts: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._cut: Cut | None = None
        self._stream: Stream | None = None

    def run_check(self, work: Sequence[Job]) -> int:
        """Check the files, carry out the options, and return the exit status. Raises BaselineError, GitError and
        ExecutorError."""
        wanted = self._wanted
        limits = _Limits(self._read_known(), self._read_changes())
        self._texts = {job.filename: job.text for job in work if job.text is not None}
        self._named = {job.filename: job.config.python for job in work}
        if not wanted.repair:
            return self._report_outcome(self._check_files(work), limits)
        if limits.changes is not None or (limits.known is not None and not wanted.write_baseline):
            work = self._exclude_hidden(work, limits)
        reports = self._check_files(work)
        if not wanted.reads_stdin:
            reports = self._repair_across(reports, work)
        if wanted.diff:
            return self._show_difference(reports, "repair")
        return self._write_repairs(reports, work, limits)

    def _write_repairs(self, reports: list[FileReport], work: Sequence[Job], limits: _Limits) -> int:
        """Write the repaired files, report what is left and return the exit status."""
        written = self._write_texts(reports, "repair", "Repaired", "hazard")
        fails = written.changes > 0 and self._wanted.exit_non_zero_on_fix
        if self._wanted.reads_stdin:  # standard output is the repaired text
            return self._problems.find_status(found=fails)
        return self._report_outcome(self._restore_refused(reports, work, written), limits, fails=fails)

    def _report_outcome(self, reports: Sequence[FileReport], limits: _Limits, *, fails: bool = False) -> int:
        """Write the baseline, the comments or the findings, as the options say, and return the exit status.

        `fails`: whether the check fails even if there are no findings.
        """
        outcome = self._make_outcome(reports)
        if limits.known is not None and self._wanted.write_baseline:
            return self._write_baseline(limits.known, outcome)
        outcome, remark = self._hide_findings(outcome, limits)
        if self._wanted.suppress is not None:
            return self._write_comments(outcome, reports, self._wanted.suppress)
        self._print_outcome(outcome, reports, remark)
        if self._cut is not None:
            print_problem(self._cut.describe_rest())
            return self._cut.status
        return self._problems.find_status(found=self._makes_check_fail(outcome) or fails)

    def _hide_findings(self, outcome: Outcome, limits: _Limits) -> tuple[Outcome, str]:
        """Return the outcome without the findings of the baseline and of unchanged lines, and a line about the
        baseline."""
        remark = ""
        if limits.known is not None:
            outcome, remark = self._remove_known(outcome, limits.known)
        if limits.changes is not None:
            outcome = _keep_findings_on_changes(outcome, limits.changes)
        return outcome, remark

    def _exclude_hidden(self, work: Sequence[Job], limits: _Limits) -> list[Job]:
        """Return the jobs with the marks of the findings that will not be reported, so that they are not repaired."""
        every = self._make_outcome(list(self._run_jobs(work)))
        shown = {id(finding) for finding in self._hide_findings(every, limits)[0].findings}
        hidden = mark_findings((found for found in every.findings if id(found) not in shown), every.sources)
        return [replace(job, excluded=hidden) for job in work]

    def _write_comments(self, outcome: Outcome, reports: Sequence[FileReport], reason: str) -> int:
        """Write comments, print the remaining findings and return the exit status."""
        from inplace_lsp.cli import suppress  # noqa: PLC0415  (loads what edits texts)

        commented = suppress.add_comments(outcome.findings, reports, reason, self._given)
        if self._wanted.diff:
            return self._show_difference(commented, "change")
        written = self._write_texts(commented, "change", "Hid", "finding")
        if self._wanted.reads_stdin:
            return self._problems.find_status(found=False)
        hidden = [report for report in commented if report.filename not in written.refused]
        left = replace(outcome, findings=suppress.list_findings_without_comment(outcome.findings, hidden))
        self._print_outcome(left, reports)
        return self._problems.find_status(found=self._makes_check_fail(left))

    def _makes_check_fail(self, outcome: Outcome) -> bool:
        return any(map(self._wanted.counts_for_status, outcome.findings))

    def _read_known(self) -> Baseline | None:
        path = self._wanted.baseline
        return None if path is None else read_baseline(path, may_be_missing=self._wanted.write_baseline)

    def _read_changes(self) -> Changes | None:
        ref = self._wanted.changed_since
        return None if ref is None else Changes(ref, _find_git_folder(self._wanted))

    def _make_outcome(self, reports: Sequence[FileReport]) -> Outcome:
        sources = Sources(reports)
        findings = self._settle_findings(reports, sources)
        outcome = output.make_outcome(findings, reports, sources, find_checked_notebooks(reports, self._texts))
        unread = [Failure("", message) for message in self._unread]
        cut = [Failure("", self._cut.describe_rest())] if self._cut is not None else []
        failures = [*unread, *outcome.failures, *self._list_syntax_failures(reports), *cut]
        return replace(outcome, failures=failures, tolerated=self._wanted.tolerated_severities)

    def _settle_findings(self, reports: Sequence[FileReport], sources: Sources) -> list[Finding]:
        """Return the merged findings of all files; after an internal error, which is reported, those of each file."""
        try:
            return settle_findings({report.filename: report.findings for report in reports}, sources.join_lines)
        except Exception as error:
            message = f"what several files say together: internal error: {describe_exception(error)}"
            if message not in self._problems.unchecked:
                self._problems.report_problem(message)
            return [finding for report in reports for finding in report.findings]

    def _list_syntax_failures(self, reports: Sequence[FileReport]) -> list[Failure]:
        """Return what does not parse and makes the check fail."""
        failures = () if self._wanted.allow_syntax_errors else map(output.find_syntax_failure, reports)
        return [failure for failure in failures if failure is not None]

    def _remove_known(self, outcome: Outcome, known: Baseline) -> tuple[Outcome, str]:
        """Return the outcome without the baseline's findings, and a line about them."""
        new, gone = known.compare_findings(outcome.findings, outcome.sources, outcome.checked)
        hidden = len(outcome.findings) - len(new)
        parts = [f"{count_noun(hidden, 'known finding')} not shown"] * (hidden > 0)
        if gone and self._wanted.select is self._wanted.ignore is None:  # else nobody asked for some of them
            parts.append(f"{gone} no longer found (--write-baseline removes {'it' if gone == 1 else 'them'})")
        remark = f"Baseline {output.display_path(known.path)}: {', '.join(parts)}." if parts else ""
        return replace(outcome, findings=new), remark

    def _write_baseline(self, known: Baseline, outcome: Outcome) -> int:
        made = known.replace_findings(outcome.findings, outcome.sources, outcome.checked)
        made.write_file()
        if not self._wanted.quiet:
            number = len(made.known)
            click.echo(f"Wrote {number} finding{'s' * (number != 1)} to {output.display_path(made.path)}.", err=True)
        return self._problems.find_status(found=False)

    def _check_files(self, work: Sequence[Job]) -> list[FileReport]:
        """Return the report of every file, in the order of the files."""
        wanted = self._wanted
        kept = None if wanted.no_cache else cache.find_default_folder()
        jobs = [
            replace(job, fixes=wanted.show_fixes, types=wanted.infer_types, repair=wanted.repair, cache=kept)
            for job in work
        ]
        reports = _order_reports(self._take_reports(jobs), jobs)
        for report in reports:
            for why in report.errors:
                self._problems.report_problem(f"{output.display_path(report.filename)}: {why}")
        failures = self._list_syntax_failures(reports)
        notebooks = (
            find_checked_notebooks([report for report in reports if report.syntax_errors], self._texts)
            if failures
            else {}
        )
        for failure in failures:
            self._problems.report_problem(output.format_failure(failure, notebooks))
        return reports

    def _take_reports(self, jobs: Sequence[Job]) -> list[FileReport]:
        """Return the reports of all jobs, or only of those that are done if the check was interrupted and only
        reads."""
        reports: list[FileReport] = []
        try:
            with show_progress(len(jobs), self._wanted.progress_form) as line:
                stream = self._begin_stream(jobs, line)
                for report in self._run_jobs(jobs):
                    reports.append(report)
                    line.count_item()
                    if stream is not None:
                        stream.take_report(report)
        except KeyboardInterrupt as interrupt:
            if self._wanted.writes_files or self._wanted.watch:
                raise
            self._cut = Cut(*describe_interrupt(interrupt), len(reports), len(jobs))
        return reports

    def _begin_stream(self, jobs: Sequence[Job], line: NoLine) -> Stream | None:
        """Return a stream that prints findings as they come, if the format prints each separately and no option can
        remove one at the end."""
        if not self._wanted.streams_findings or not FORMATS[self._wanted.output_format].streams:
            return None

        def print_findings(found: Sequence[Finding], reports: Sequence[FileReport]) -> None:
            line.hide_line()
            outcome = replace(self._make_outcome(reports), findings=found, failures=())
            self._report_unwritten(output.write_outcome(outcome, self._wanted.output_format, None))
            sys.stdout.flush()

        self._stream = Stream(jobs, lambda reports: self._make_outcome(reports).findings, print_findings)
        return self._stream

    def _run_jobs(self, jobs: Sequence[Job]) -> Iterator[FileReport]:
        """Yield a report for every job as it is done. Raises ExecutorError."""
        engine, address = parse_executor(self._wanted.executor)
        if engine == HERE:
            return run_jobs(jobs, self._wanted.jobs or count_processors())
        return run_elsewhere(jobs, engine, address)

    def _repair_across(self, reports: list[FileReport], work: Sequence[Job]) -> list[FileReport]:
        """Make the repairs that involve two files, if a file has findings in others."""
        if all(found.span.file == report.filename for report in reports for found in report.findings):
            return reports
        from inplace_lsp.cli.fix_across import repair_across  # noqa: PLC0415  (loads the syntax trees)

        return repair_across(reports, [replace(job, repair=self._wanted.repair) for job in work])

    def _show_difference(self, reports: Sequence[FileReport], doing: str) -> int:
        """Print what would change as a diff."""
        changed, failed = fix.show_repairs(reports, self._given)
        for why in failed:
            self._problems.report_problem(why, doing)
        if doing == "repair" and not self._wanted.quiet:
            made = sum(report.repairs for report in reports)
            click.echo(format_repairs(made, self._make_outcome(reports).findings), err=True)
        return self._problems.find_status(found=changed and not self._wanted.exit_zero)

    def _write_texts(self, reports: Iterable[FileReport], doing: str, done: str, what: str) -> fix.Written:
        """Write the changed texts, and report how many changes were made and what could not be written."""
        written = fix.write_repairs(reports, self._given)
        for why in written.refused.values():
            self._problems.report_problem(why, doing)
        changes = written.changes
        if changes and not self._wanted.quiet:
            click.echo(f"{done} {changes} {what}{'s' * (changes != 1)}.", err=True)
        return written

    def _restore_refused(
        self, reports: Sequence[FileReport], work: Sequence[Job], written: fix.Written
    ) -> list[FileReport]:
        """Check the files again whose repairs could not be written: they still have all their findings."""
        wanted = self._wanted
        refused = (job for job in work if job.filename in written.refused)
        jobs = [replace(job, fixes=wanted.show_fixes, types=wanted.infer_types) for job in refused]
        left = {report.filename: report for report in run_jobs(jobs, 1)}
        return [left.get(report.filename, report) for report in reports]

    def _print_outcome(self, outcome: Outcome, reports: Sequence[FileReport], remark: str = "") -> None:
        wanted = self._wanted
        self._write_findings(outcome)
        for_people = wanted.output_file is not None or FORMATS[wanted.output_format].for_people
        if wanted.statistics:
            output.write_statistics(reports, outcome, err=not for_people)
        if for_people and not wanted.quiet:
            if reports or self._cut is None:
                output.write_summary(reports, outcome, syntax_errors=wanted.allow_syntax_errors)
                for line in describe_environments(reports, self._named):
                    click.echo(line)
            if remark:
                click.echo(remark)
            if self._cut is not None:
                click.echo(f"The check was {self._cut.describe_rest()}.")

    def _write_findings(self, outcome: Outcome) -> None:
        form, file = self._wanted.output_format, self._wanted.output_file
        if self._stream is not None:
            left = [finding for finding in outcome.findings if not self._stream.is_printed(finding)]
            outcome = replace(outcome, findings=left)
        try:
            self._report_unwritten(output.write_outcome(outcome, form, file))
        except OSError as error:
            if file is None:
                raise
            self._problems.report_problem(f"the findings to {file}: {error.strerror or error}", "write")

    def _report_unwritten(self, lost: Iterable[str]) -> None:
        """Name the findings that could not be written because of a bug of ours."""
        for why in lost:
            self._problems.report_problem(why, "show")


def _keep_findings_on_changes(outcome: Outcome, changes: Changes) -> Outcome:
    """Return the outcome with the findings that are partly on changed lines. Raises GitError."""
    in_files = move_to_file_lines(outcome).findings
    pairs = zip(outcome.findings, in_files, strict=True)
    return replace(outcome, findings=[finding for finding, moved in pairs if changes.touches_finding(moved)])


def _find_git_folder(wanted: CheckOptions) -> str:
    """Return the folder in which to ask git: that of the first path."""
    first = os.path.abspath(next((path for path in wanted.paths if path != STDIN), "."))
    return first if os.path.isdir(first) else os.path.dirname(first)


def _read_stdin(wanted: CheckOptions, problems: Problems) -> dict[str, bytes]:
    """Return the contents of standard input by file name."""
    try:
        return {os.path.abspath(wanted.stdin_filename or "stdin.py"): read_stdin()}
    except UnreadableError as error:
        problems.report_problem(f"standard input: {error}")
        return {}


def _find_jobs(wanted: CheckOptions, given: Mapping[str, bytes], problems: Problems) -> list[Job]:
    paths = wanted.paths or (".",)
    files = find_files(
        tuple(path for path in paths if path != STDIN),
        problems.report_problem,
        CHECKED,
        lenient=not wanted.writes_files,
        is_excluded=wanted.excludes,
    )
    jobs = [Job(file, _find_config(file, wanted, problems)) for file in files]
    for name, data in given.items():
        try:
            jobs.append(Job(name, _find_config(name, wanted, problems), decode_source(data)))
        except UnreadableError as error:
            problems.report_problem(f"standard input: {error}")
    return [job for job in jobs if not _is_excluded(job, wanted)]


def _is_excluded(job: Job, wanted: CheckOptions) -> bool:
    """Return whether a file is excluded though it is named; pre-commit hooks pass every file by name."""
    return wanted.force_exclude and wanted.excludes(job.config, job.filename)


def _find_config(file: str, wanted: CheckOptions, problems: Problems) -> Config:
    """Return the file's configuration, overridden by the command line, or the defaults if it cannot be used. Raises
    ConfigError if files are to be written."""
    try:
        found = config.config_for_file(file)
    except ConfigError as error:
        if wanted.writes_files:
            raise
        problems.report_configuration(error)
        found = config.DEFAULT
    return replace(
        found,
        select=found.select if wanted.select is None else wanted.select,
        ignore=found.ignore if wanted.ignore is None else wanted.ignore,
        python=wanted.python or found.python,
        suggest=wanted.suggest or found.suggest,
    )


def _order_reports(reports: Iterable[FileReport], jobs: list[Job]) -> list[FileReport]:
    order = {job.filename: index for index, job in enumerate(jobs)}
    return sorted(reports, key=lambda report: order[report.filename])
