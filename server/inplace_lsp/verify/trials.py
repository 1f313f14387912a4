"""Trial runs through the worker: which inputs a target accepts, on the meta device, before anything real is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from inplace_lsp.verify.client import Client
from inplace_lsp.verify.inputs.model import Inputs, ProbeResult, plain

SECONDS = 1.0
"""What one trial may take."""
_LOST = ProbeResult(False, "the process of the trial ended")


def probing(client: Client, job: Mapping[str, Any], cancelled: Callable[[], bool]) -> Callable[..., list[ProbeResult]]:
    """A probe for `candidates`: `job` says what is run."""

    def probe(candidates: Sequence[Inputs], /) -> list[ProbeResult]:
        tries = {**job, "op": "probe", "candidates": [plain(one) for one in candidates], "deadline_s": SECONDS}
        answer = client.run(tries, cancelled)
        results = (answer.get("probe") or {}).get("results") or ()
        found = {one["candidate"]: one for one in results}
        return [_result(one, found.get(at)) for at, one in enumerate(candidates)]

    return probe


def _result(inputs: Inputs, found: Mapping[str, Any] | None) -> ProbeResult:
    if found is None:
        return _LOST
    error = found["error"]
    return ProbeResult(found["ok"], error and _own_words(inputs, error), tuple(found.get("rows") or ()))


def _own_words(inputs: Inputs, error: str) -> str:
    """The error without the input that it quotes, whose numbers are none of the message."""
    for name, text in {"self": inputs.receiver, **inputs.arguments}.items():
        error = error.removeprefix(f"{name} = {text}: ")
    return error
