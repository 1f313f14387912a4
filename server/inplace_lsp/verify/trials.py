"""The runs of one verify: trials without data, by which inputs are found, and real ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Inputs, ProbeResult, plain
from inplace_lsp.verify.launch import Cancelled

RUNS = 8
"""So many inputs are really run at most."""
PROBE_SECONDS = 1.0
"""What one trial without data may take."""
LAST = 0.5
"""Seconds that a real run gets in any case."""
_LATE = ProbeResult(False, "there was no time left to try")


class Trials:
    """All runs together may take what one may: the deadline, and a moment for the last; all trials as long again."""

    def __init__(self, client: Client, job: Mapping[str, Any], cancelled: Cancelled) -> None:
        self._client = client
        self._job = job
        self._cancelled = cancelled
        self._left = float(job["deadline_s"])
        self._left_for_probes = self._left
        self.runs = 0

    def are_over(self) -> bool:
        """Whether nothing more can be tried."""
        return self._cancelled() or self._left < LAST or self.runs >= RUNS

    def run(self, inputs: Inputs) -> dict[str, Any]:
        """The worker's answer to a real run. A program that leads to the target may take half of the time that is
        left: other inputs may be quicker."""
        self.runs += 1
        seconds = self._left / 2 if inputs.driver is not None else self._left
        answer = self._ask({"op": "verify", "deadline_s": max(seconds, LAST), "inputs": plain(inputs)})
        self._left -= float(answer.get("seconds", 0.0))
        return answer

    def probe(self, tries: Sequence[Inputs], /, *, data: bool = False) -> list[ProbeResult]:
        """Whether the target accepts these inputs, mostly without data. What ends in a fault is left to a real run."""
        if all(one.driver is None and not one.receiver and not one.arguments for one in tries):
            return [ProbeResult(True)] * len(tries)
        if self._left_for_probes <= 0:
            return [_LATE] * len(tries)
        candidates = [plain(one) for one in tries]
        answer = self._ask(
            {"op": "probe", "device": "cpu" if data else "meta", "deadline_s": PROBE_SECONDS, "candidates": candidates}
        )
        self._left_for_probes -= float(answer.get("seconds", 0.0))
        if "results" not in answer:
            return [ProbeResult(False, str(answer.get("failed", "cancelled")))] * len(tries)
        return [_result(inputs, one) for inputs, one in zip(tries, answer["results"], strict=True)]

    def _ask(self, job: Mapping[str, Any]) -> dict[str, Any]:
        return self._client.run({**self._job, **job}, self._cancelled)


def _result(inputs: Inputs, answer: Mapping[str, Any]) -> ProbeResult:
    error = answer["error"]
    return ProbeResult(
        answer["ok"] or answer["fault"], error and _own_words(inputs, error), tuple(answer.get("rows") or ())
    )


def _own_words(inputs: Inputs, error: str) -> str:
    """The error without the input that it quotes, whose numbers are none of the message."""
    for name, text in {"self": inputs.receiver, **inputs.arguments}.items():
        error = error.removeprefix(f"{name} = {text}: ")
    return error
