"""The runs of one verify: trials without data, by which inputs are found, and real ones."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import replace

from inplace_lsp.messages.answers import Answer, Trial
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.messages.job import Job, Op
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.errors import about_missing_module
from inplace_lsp.verify.inputs.model import ProbeResult
from inplace_lsp.verify.launch import Cancelled

RUNS = 10
"""Maximum number of inputs that are really run."""
PROBE_SECONDS = 2.0
"""Maximum processor time of one trial without data, in seconds. The first one imports what the file needs."""
LAST = 0.5
"""Seconds that a real run gets in any case."""
SLOWEST = 3
"""So many times as long as its processor's seconds something may take before its own seconds count, without those in
which no processor was free."""
_LATE = ProbeResult(False, "there was no time left to try")


class Trials:
    """All runs together may take what one may: the deadline, and a moment for the last; all trials as long again.

    Counted are seconds of the processor, so that the answer does not hang on what else the machine does.
    """

    def __init__(self, client: Client, job: Job, cancelled: Cancelled) -> None:
        self._client = client
        self._job = job
        self._cancelled = cancelled
        self._left = job.deadline_s
        self._left_for_probes = self._left
        self._missing_module = ""
        self.runs = 0
        self._begin = time.thread_time()
        self._worked = 0.0

    def clock(self) -> float:
        """Return the seconds of work so far, that of this thread included; a search that may try nothing more ends at
        once."""
        return math.inf if self._left_for_probes <= 0 else self._worked + time.thread_time() - self._begin

    def are_over(self) -> bool:
        """Return whether the time is used up."""
        return self._cancelled() or self._left < LAST or self.runs >= RUNS

    def run(self, inputs: Inputs) -> Answer:
        """Return the worker's answer to a real run. A program that leads to the target gets half of the remaining time:
        other inputs may be quicker. Plain and recorded, side by side, count no more than the time of one: the rest
        would hang on the processors that are free."""
        self.runs += 1
        seconds = max(self._left / 2 if inputs.driver is not None else self._left, LAST)
        answer = self._ask_worker(replace(self._job, deadline_s=seconds, inputs=inputs))
        self._left -= min(_work_of(answer), seconds)
        error = answer.plain.error if answer.plain is not None else None
        self._missing_module = error if error is not None and about_missing_module(error) else ""
        return answer

    def run_on(self, device: str, inputs: Inputs) -> Answer:
        """Return the worker's answer to a run on a GPU, which gets the time of a whole verify."""
        return self._ask_worker(replace(self._job, device=device, inputs=inputs))

    def probe(self, tries: Sequence[Inputs], /, *, data: bool = False) -> list[ProbeResult]:
        """Return whether the target accepts these inputs, mostly without data. A crash is left to a real run.

        Nothing is tried where the last real run has shown that the target needs a module that is not installed.
        """
        if self._missing_module:
            return [ProbeResult(False, self._missing_module)] * len(tries)
        if all(try_.driver is None and not try_.receiver and not try_.arguments for try_ in tries):
            return [ProbeResult(True)] * len(tries)
        if self._left_for_probes <= 0:
            return [_LATE] * len(tries)
        device = "cpu" if data else "meta"
        answer = self._ask_worker(
            replace(self._job, op=Op.PROBE, device=device, deadline_s=PROBE_SECONDS, candidates=tuple(tries))
        )
        self._left_for_probes -= _work_of(answer)
        if not answer.trials:
            return [ProbeResult(False, answer.failed or "cancelled")] * len(tries)
        return [_probe_result(inputs, trial) for inputs, trial in zip(tries, answer.trials, strict=True)]

    def _ask_worker(self, job: Job) -> Answer:
        answer = self._client.run(job, self._cancelled)
        self._worked += _work_of(answer)
        return answer


def _work_of(answer: Answer) -> float:
    """Return the seconds that an answer counts: the processor's, or its own if it was busy with nothing."""
    return max(min(answer.worked, answer.seconds), (answer.seconds - answer.waited) / SLOWEST)


def _probe_result(inputs: Inputs, trial: Trial) -> ProbeResult:
    error = trial.error and _own_words(inputs, trial.error)
    return ProbeResult(trial.ok or trial.fault, error, trial.steps)


def _own_words(inputs: Inputs, error: str) -> str:
    """Return the error without the input that it quotes, whose numbers are none of the message."""
    for name, text in {"self": inputs.receiver, **inputs.arguments}.items():
        error = error.removeprefix(f"{name} = {text}: ")
    return error
