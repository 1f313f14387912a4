"""Describe the outcome of a run: its own report, or how its process ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from dataclasses import replace

from inplace_lsp.messages.answers import RunReport, Trial
from inplace_lsp.messages.job import Job
from inplace_lsp.worker.channel import CLOSED
from inplace_lsp.worker.processes import Process


def describe_outcome(process: Process, job: Job, lost: Process) -> RunReport:
    """Return the report of a run, or what became of the run that was `lost`, with which this one was ended."""
    last = process.said[-1] if process.said else None
    if not isinstance(last, RunReport):
        last = RunReport(failed="".join(_describe_end(lost, job)), late=lost.late)
    return replace(last, output=process.output.shown_text())


def trials_of(process: Process) -> list[Trial]:
    """Return what a process has said of the candidates that it tried."""
    return [message for message in process.said if isinstance(message, Trial)]


def _describe_end(process: Process, job: Job) -> Iterator[str]:
    status = process.status or 0
    if process.late:
        yield f"it was still running after {job.deadline_s:g} s"
    elif os.WIFSIGNALED(status):
        yield f"its process died: {_signal_name(os.WTERMSIG(status))}"
    elif os.WEXITSTATUS(status) == CLOSED:
        yield "the code closed the file descriptor through which a run reports its result"
    else:
        yield f"its process ended with exit status {os.WEXITSTATUS(status)} before the run was over"
    place = _crash_line(process, job)
    if place:
        yield f", on line {place}"


def _signal_name(number: int) -> str:
    words = {signal.SIGSEGV: "segmentation fault", signal.SIGKILL: "killed", signal.SIGABRT: "aborted"}
    return words.get(signal.Signals(number), signal.Signals(number).name)


def _crash_line(process: Process, job: Job) -> str:
    """Return the line of the file in the traceback of a crash; the innermost frame comes first."""
    for line in process.lines:
        text = line.decode(errors="replace").strip()
        if text.startswith(f'File "{job.filename}", line '):
            return text.rpartition(", line ")[2].partition(" ")[0]
    return ""
