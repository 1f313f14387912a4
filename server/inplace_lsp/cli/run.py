"""Check many files: in this process if they are few, else in several. One file that fails costs only its own answer."""

from __future__ import annotations

import gc
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from multiprocessing import active_children, get_context, parent_process
from typing import TYPE_CHECKING, TypeVar

from inplace_lsp.analysis import Analysis
from inplace_lsp.cli import cache
from inplace_lsp.cli.problems import describe
from inplace_lsp.cli.reports import FileReport, Job
from inplace_lsp.cli.sources import Source, read_source
from inplace_lsp.facts.digests import Recorded, digests
from inplace_lsp.facts.known import learn
from inplace_lsp.facts.models import facts_of
from inplace_lsp.facts.modules import Modules
from inplace_lsp.files.read import UnreadableError
from inplace_lsp.notebooks import NotebookError

if TYPE_CHECKING:
    from inplace_lsp.config import Config
    from inplace_lsp.interpret.state.facts import Facts

FEW = 4
Answer = TypeVar("Answer")


def default_jobs() -> int:
    """As many processes as this one may use processors."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(jobs: Sequence[Job], processes: int) -> Iterator[FileReport]:
    """A report for every job, in the order in which they are done."""
    _modules.cache_clear()
    return run_all(check_job, jobs, processes, _died)


def run_all(
    work: Callable[[Job], Answer], jobs: Sequence[Job], processes: int, died: Callable[[Job], Answer]
) -> Iterator[Answer]:
    """What `work` makes of every job, in the order in which they are done; `died`: of one that ends its process."""
    _collect_less()
    if processes <= 1 or len(jobs) <= FEW:
        yield from map(work, jobs)
        return
    lost: list[Job] = []
    with _pool(min(processes, len(jobs))) as pool:
        try:
            waiting = {pool.submit(work, job): job for job in sorted(jobs, key=_size, reverse=True)}
            for done in as_completed(waiting):
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


def _collect_less() -> None:
    """An analysis makes many objects that live as long as it does: with Python's own thresholds the collector takes
    two thirds of the time to find next to nothing."""
    gc.freeze()
    gc.set_threshold(100_000, 20, 20)


def check_job(job: Job) -> FileReport:
    """Check one file. Never raises but for an interrupt."""
    start = time.process_time()
    report = _report(job)
    return replace(report, seconds=time.process_time() - start)


def _report(job: Job) -> FileReport:
    try:
        source = read_source(job.filename, job.text)
    except UnreadableError as error:
        return FileReport(job.filename, error=str(error))
    text = source.program
    if job.cache is None or job.types or job.repair:
        return _analysed(job, source, facts_of(job.config.models))
    modules = _modules(job.config.models)
    known = cache.recall(job.cache, job, text, modules)
    if known is not None:
        return known
    asked = Recorded(modules)
    report = _analysed(job, source, asked)
    if not report.errors:
        cache.store(job.cache, job, text, report, digests(asked), modules)
    return report


@lru_cache(maxsize=8)
def _modules(models: tuple[str, ...]) -> Modules:
    """The modules that files import, each looked for once in a run, and the model files in the folders `models`."""
    return facts_of(models)


def _analysed(job: Job, source: Source, facts: Modules | Recorded) -> FileReport:
    before, repairs = source.text, 0
    try:
        if job.repair:
            source, repairs = _repaired(source, job)
        text = source.program
        analysis = check_text(text, job.filename, job.config, facts)
        if job.types and learn(text, job.filename, analysis.wanted):
            analysis = check_text(text, job.filename, job.config)
        if job.fixes:
            analysis = _with_fixes(text, job, analysis)
    except NotebookError as error:
        return FileReport(job.filename, error=str(error))
    except Exception as error:
        return FileReport(job.filename, error=f"internal error: {describe(error)}")
    found = tuple(replace(finding, story=()) for finding in analysis.findings)
    told = FileReport(job.filename, found, analysis.gaps, analysis.functions, analysis.unknown, text if found else "")
    return replace(told, before=before, after=source.text, repairs=repairs) if job.repair else told


def check_text(text: str, filename: str, config: Config, facts: Facts | None = None) -> Analysis:
    """Check as `project` does. The first file of which not all is remembered loads what that takes."""
    from inplace_lsp import project  # noqa: PLC0415

    return project.check_text(text, filename, config, facts)


def _repaired(source: Source, job: Job) -> tuple[Source, int]:
    """The source with its repairs made, and their number. Raises NotebookError."""
    from inplace_lsp.fixes.fix_all import fix_all  # noqa: PLC0415  (loads the syntax trees)

    done = fix_all(
        source.program,
        job.filename,
        unsafe=job.repair == "unsafe",
        analyse=lambda text, name: check_text(text, name, job.config),
    )
    for repair in done.made:
        source = source.edited(repair.edits)
    return source, len(done.made)


def _with_fixes(text: str, job: Job, analysis: Analysis) -> Analysis:
    from inplace_lsp.fixes.offer import with_fixes  # noqa: PLC0415  (loads the syntax trees: only where they are wanted)

    return with_fixes(text, job.filename, analysis, lambda text, name: check_text(text, name, job.config))


def _do_alone(work: Callable[[Job], Answer], job: Job, died: Callable[[Job], Answer]) -> Answer:
    """Do a job whose process died in a process of its own, to learn whether it was the cause."""
    with _pool(1) as pool:
        try:
            return pool.submit(work, job).result()
        except BrokenProcessPool:
            return died(job)


def _died(job: Job) -> FileReport:
    return FileReport(job.filename, error="internal error: the process that analysed it died")


def _pool(processes: int) -> ProcessPoolExecutor:
    """Forked where that is sound, so that every process has the analysis from the start."""
    import_module("inplace_lsp.project")
    if sys.platform != "linux":
        os.environ["PYTHONSAFEPATH"] = "1"  # a process that is not forked looks for modules in the current folder first
    context = get_context("fork" if sys.platform == "linux" else None)
    return ProcessPoolExecutor(processes, context, _begin)


def _begin() -> None:
    """In a process of the pool: Ctrl-C is for its parent to answer. When the parent is gone, however it ended, nobody
    would tell the process to end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def _size(job: Job) -> int:
    """Long files first, so that none is left to run alone at the end."""
    try:
        return os.path.getsize(job.filename)
    except OSError:
        return 0
