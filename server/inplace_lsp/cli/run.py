"""Check many files, in this process or in several. A file that fails costs only its own answer."""

from __future__ import annotations

import atexit
import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, as_completed, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from multiprocessing.context import BaseContext
from typing import TYPE_CHECKING, TypeVar
from uuid import uuid4

from inplace_lsp.analysis import Analysis, NotAnalysed, fault_of
from inplace_lsp.analysis_progress import is_anyone_listening, tell_share
from inplace_lsp.cli import cache
from inplace_lsp.cli.pool_progress import Shares
from inplace_lsp.cli.problems import describe_exception
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.sources import Source, read_source
from inplace_lsp.executors import join_workers
from inplace_lsp.facts.digests import Recorded, digest_answers
from inplace_lsp.facts.inferred_types import learn_with_jedi
from inplace_lsp.facts.models import make_facts
from inplace_lsp.facts.modules import Modules
from inplace_lsp.facts.packages import find_packages
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.hazards.finding import Finding, Sources
from inplace_lsp.hazards.remedy import add_advice
from inplace_lsp.memory_limit import give_back_memory
from inplace_lsp.notebooks import NotebookError
from inplace_lsp.report.lines import split_lines

if TYPE_CHECKING:
    from inplace_lsp.config import Config
    from inplace_lsp.interpret.state.facts import Facts

FEW = 4
LONGEST = 8
"""Number of the largest files per process that are checked first, whatever their names."""
TURN_SECONDS = 0.1
"""Seconds between two looks of the parent at the progress of its processes."""
COLLECTING = (1_500_000, 2, 5)
"""The thresholds of the garbage collector: 1.5 million objects take about 75 MB. Most checks end before the first
collection, which would cost a tenth of their time."""
Answer = TypeVar("Answer")


def count_processors() -> int:
    """Return the number of processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run_jobs(jobs: Sequence[Job], processes: int) -> Iterator[FileReport]:
    """Yield a report for every job as it is done."""
    _share_modules.cache_clear()
    return run_all(check_job, jobs, processes, _report_dead_process)


def run_elsewhere(jobs: Sequence[Job], engine: str, address: str) -> Iterator[FileReport]:
    """Yield reports as `run_jobs` does, from the workers of an engine. Raises ExecutorError."""
    this_run = uuid4().hex
    with join_workers(engine, address) as pool:
        waiting = {
            pool.executor.submit(check_for_run, this_run, job): job
            for job in sorted(jobs, key=_measure_size, reverse=True)
        }
        for done in as_completed(waiting):
            try:
                yield done.result()
            except pool.lost:
                yield FileReport(waiting[done].filename, error="the processes that should analyse it died")


def check_for_run(number: str, job: Job) -> FileReport:
    """Check a file in a process that has served other runs: files may have changed since."""
    _forget_modules(number)
    before = gc.get_threshold()
    gc.set_threshold(*COLLECTING)
    try:
        return check_job(job)
    finally:
        gc.set_threshold(*before)


@lru_cache(maxsize=8)
def _forget_modules(number: str) -> None:
    """Forget the known modules, once for each run."""
    _share_modules.cache_clear()


def run_all(
    work: Callable[[Job], Answer], jobs: Sequence[Job], processes: int, died: Callable[[Job], Answer]
) -> Iterator[Answer]:
    """Yield the answer of `work` for every job as it is done; `died` answers for a job that kills its process."""
    _collect_less()
    if processes <= 1 or len(jobs) <= FEW:
        yield from map(work, jobs)
        return
    lost: list[Job] = []
    processes = min(processes, len(jobs))
    shares = Shares(processes, _choose_context()) if is_anyone_listening() else None
    with _make_process_pool(processes, shares) as pool:
        try:
            waiting = {pool.submit(_do_job, work, job): job for job in _order_jobs(jobs, processes)}
            for done in _take_completed(waiting, shares):
                try:
                    yield done.result()
                except BrokenProcessPool:
                    lost.append(waiting[done])
        except BaseException:  # an interrupt does not wait for the files under way
            for process in active_children():
                process.kill()
            raise
    for job in lost:
        yield _do_alone(work, job, died)


def _order_jobs(jobs: Sequence[Job], processes: int) -> Sequence[Job]:
    """Return the largest files first, so that none runs alone at the end; keep the others in their order, which is the
    order of the output."""
    longest = sorted(jobs, key=_measure_size, reverse=True)[: LONGEST * processes]
    first = {job.filename for job in longest}
    return [*longest, *(job for job in jobs if job.filename not in first)]


def _do_job(work: Callable[[Job], Answer], job: Job) -> Answer:
    """Do a job in a process of the pool; the parent counts it once it is done."""
    try:
        return work(job)
    finally:
        tell_share(0)


def _take_completed(waiting: Collection[Future[Answer]], shares: Shares | None) -> Iterator[Future[Answer]]:
    """Yield each of `waiting` as it is completed; meanwhile report the progress of the others."""
    if shares is None:
        yield from as_completed(waiting)
        return
    left = set(waiting)
    while left:
        done, left = wait(left, TURN_SECONDS, FIRST_COMPLETED)
        tell_share(shares.sum_shares())
        yield from done


def _collect_less() -> None:
    """Let the garbage collector run less often, and not at the end.

    An analysis makes many objects that live as long as it does: with Python's own thresholds the collector takes two
    thirds of the time to find next to nothing. At the end the process gives its memory back anyway.
    """
    gc.freeze()
    gc.set_threshold(*COLLECTING)
    atexit.unregister(gc.freeze)
    atexit.register(gc.freeze)


def check_job(job: Job) -> FileReport:
    """Check one file. Raises only KeyboardInterrupt."""
    start = time.process_time()
    try:
        report = _make_report(job)
        give_back_memory()
    except Exception as error:
        report = FileReport(job.filename, error=f"internal error: {describe_exception(error)}")
    return replace(report, seconds=time.process_time() - start)


def _make_report(job: Job) -> FileReport:
    try:
        source = read_source(job.filename, job.text)
    except UnreadableError as error:
        return FileReport(job.filename, error=str(error))
    text = source.program
    modules = make_facts(job.config) if job.types or job.repair else _share_modules(job.config)
    kept = None if job.types or job.repair else job.cache
    known = cache.recall_report(kept, job, text, modules) if kept is not None else None
    if known is not None:
        return known
    asked = Recorded(modules, job.filename)
    report = _analyse_source(job, source, asked)
    report = replace(report, packages=find_packages(job.filename, asked, modules))
    if kept is not None and not report.errors:
        cache.store_report(kept, job, text, report, digest_answers(asked.answers), modules)
    return report


@lru_cache(maxsize=8)
def _share_modules(config: Config) -> Modules:
    """Return the modules that files import, each found once in a run, and the model files of the configuration."""
    return make_facts(config)


def _analyse_source(job: Job, source: Source, facts: Recorded) -> FileReport:
    before, repairs = source.text, 0
    lost: tuple[NotAnalysed, ...] = ()
    try:
        if job.repair:
            source, repairs, lost = _repair_source(source, job)
        text = source.program
        analysis = check_text(text, job.filename, job.config, facts)
        if job.types and learn_with_jedi(text, job.filename, analysis.wanted, job.config.python):
            analysis = check_text(text, job.filename, job.config)
        if job.fixes:
            analysis = _add_fixes(text, job, analysis)
        analysis = with_offers(analysis, text, job, facts)
    except NotebookError as error:
        return FileReport(job.filename, error=str(error))
    analysis = _add_neighbours(analysis.with_gaps(lost), text)
    analysis = _advise_all(analysis, {job.filename: split_lines(text)}, job)
    found = tuple(replace(finding, story=()) for finding in analysis.findings)
    report = FileReport(job.filename, found, analysis.gaps, analysis.functions, analysis.unknown, text if found else "")
    return replace(report, before=before, after=source.text, repairs=repairs) if job.repair else report


def _add_neighbours(analysis: Analysis, text: str) -> Analysis:
    """Return the analysis with the writes beside each finding that may stay."""
    if not analysis.findings:
        return analysis
    from inplace_lsp.engine import function_at  # noqa: PLC0415  (a file without findings needs none)
    from inplace_lsp.report import neighbours  # noqa: PLC0415

    def rows_at(row: int) -> tuple[int, int]:
        around = function_at(text, row)
        return (1, len(text)) if around is None else (around.row, around.end_row)

    known = neighbours.Neighbours(analysis.tapes, analysis.findings)
    return _complete_each(analysis, lambda finding: neighbours.add_neighbours(finding, known, rows_at))


def _advise_all(analysis: Analysis, sources: Sources, job: Job) -> Analysis:
    """Return the analysis with what to do about each finding."""
    return _complete_each(analysis, lambda finding: _add_advice(finding, sources, job))


def _complete_each(analysis: Analysis, complete: Callable[[Finding], Finding]) -> Analysis:
    """Return the analysis with each finding completed; an internal error leaves one as it is."""
    found, lost = [], []
    for finding in analysis.findings:
        try:
            found.append(complete(finding))
        except Exception as error:
            found.append(finding)
            lost.append(fault_of(finding.function, finding.span, error))
    return replace(analysis, findings=tuple(found)).with_gaps(lost)


def _add_advice(finding: Finding, sources: Sources, job: Job) -> Finding:
    """Return the finding with what to do about it, by no option that the job itself has: that did what it could."""
    advised = add_advice(finding, sources, repair_is_known=job.fixes or job.repair == "unsafe")
    done = job.repair == "safe" and finding.fix is None and advised.fixable == "safe"
    return replace(advised, fixable=None) if done else advised


def check_text(text: str, filename: str, config: Config, facts: Facts | None = None) -> Analysis:
    """Check as `project` does. The first file that is not cached completely loads what the analysis needs."""
    from inplace_lsp import project  # noqa: PLC0415

    return project.check_text(text, filename, config, facts)


def with_offers(analysis: Analysis, text: str, job: Job, facts: Facts) -> Analysis:
    """Add the ops that may write in place, as `project` does."""
    from inplace_lsp import project  # noqa: PLC0415

    return project.with_offers(analysis, text, job.filename, job.config, facts)


def _repair_source(source: Source, job: Job) -> tuple[Source, int, tuple[NotAnalysed, ...]]:
    """Return the repaired source, the number of repairs and what internal errors have cost. Raises NotebookError."""
    from inplace_lsp.cli.excluded_findings import drop_excluded  # noqa: PLC0415  (few checks repair)
    from inplace_lsp.fixes.fix_all import fix_all  # noqa: PLC0415  (loads the syntax trees)

    def analyse_text(text: str, name: str) -> Analysis:
        return drop_excluded(check_text(text, name, job.config), job.excluded, {name: text})

    done = fix_all(source.program, job.filename, unsafe=job.repair == "unsafe", analyse=analyse_text)
    for repair in done.made:
        source = source.with_edits(repair.edits)
    return source, len(done.made), done.lost


def _add_fixes(text: str, job: Job, analysis: Analysis) -> Analysis:
    from inplace_lsp.fixes.offer import add_fixes  # noqa: PLC0415  (loads the syntax trees: only where they are wanted)

    return add_fixes(text, job.filename, analysis, lambda text, name: check_text(text, name, job.config))


def _do_alone(work: Callable[[Job], Answer], job: Job, died: Callable[[Job], Answer]) -> Answer:
    """Run a job whose process died in a process of its own, to learn whether it is the cause."""
    with _make_process_pool(1) as pool:
        try:
            return pool.submit(work, job).result()
        except BrokenProcessPool:
            return died(job)


def _report_dead_process(job: Job) -> FileReport:
    return FileReport(job.filename, error="internal error: the process that analysed it died")


def _make_process_pool(processes: int, shares: Shares | None = None) -> ProcessPoolExecutor:
    """Return a pool of processes, forked where that is safe, so that each has the analysis loaded."""
    import_module("inplace_lsp.project")
    if sys.platform != "linux":
        os.environ["PYTHONSAFEPATH"] = "1"  # a process that is not forked looks for modules in the current folder first
    return ProcessPoolExecutor(processes, _choose_context(), _begin_process, (shares,))


def _choose_context() -> BaseContext:
    return get_context("fork" if sys.platform == "linux" else None)


def _begin_process(shares: Shares | None) -> None:
    """Leave Ctrl-C to the parent, and end when the parent is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    if shares is not None:
        shares.join_process()
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _measure_size(job: Job) -> int:
    """Return the size to sort by."""
    try:
        return os.path.getsize(job.filename)
    except OSError:
        return 0
