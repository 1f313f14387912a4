"""What became of a run: its own words, or how its process ended."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

from inplace_lsp.worker.channel import CLOSED
from inplace_lsp.worker.processes import Process


def describe_outcome(process: Process, job: dict[str, Any], lost: Process) -> dict[str, Any]:
    """What one run came to: its own words, or what became of the one that was `lost`; the other was ended with it."""
    last = process.said[-1] if process.said else {}
    outcome = {} if last.keys() & {"candidate", "ready"} else dict(last)
    if not outcome:
        outcome = {"failed": "".join(_fate(lost, job)), "late": lost.late}
    outcome["results"] = [message for message in process.said if "candidate" in message]
    outcome["output"] = process.output.shown()
    return outcome


def _fate(process: Process, job: dict[str, Any]) -> Iterator[str]:
    status = process.status or 0
    if process.late:
        yield f"it was still running after {job['deadline_s']:g} s"
    elif os.WIFSIGNALED(status):
        yield f"its process died: {_signal_name(os.WTERMSIG(status))}"
    elif os.WEXITSTATUS(status) == CLOSED:
        yield "the code closed the descriptor on which a run tells what came of it"
    else:
        yield f"its process ended with exit status {os.WEXITSTATUS(status)} before the run was over"
    place = _place(process, job)
    if place:
        yield f", on line {place}"


def _signal_name(number: int) -> str:
    words = {signal.SIGSEGV: "segmentation fault", signal.SIGKILL: "killed", signal.SIGABRT: "aborted"}
    return words.get(signal.Signals(number), signal.Signals(number).name)


def _place(process: Process, job: dict[str, Any]) -> str:
    """The line of the file that ran when Python wrote a traceback; the innermost frame stands first."""
    for line in process.lines:
        text = line.decode(errors="replace").strip()
        if text.startswith(f'File "{job["filename"]}", line '):
            return text.rpartition(", line ")[2].partition(" ")[0]
    return ""
