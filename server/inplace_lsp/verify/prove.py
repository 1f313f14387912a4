"""From a place in a file to a verdict: inputs, one run after the other until one can be judged, the judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from inplace_lsp.hazards.registry import findings
from inplace_lsp.verify.client import Cancelled, Client, never
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.target import MODULE, Target, place_of
from inplace_lsp.verify.verdict import Judgement, Verdict, judge, violations

Inputs = Mapping[str, Any]

PROGRAM: Inputs = {"source": "program", "setup": "", "receiver": None, "arguments": {}, "driver": None}


@dataclass(frozen=True, slots=True)
class Subject:
    """What is verified: a definition in a text, which need not be what is on the disk. `filename` is absolute."""

    text: str
    filename: str
    target: Target

    def job(self) -> dict[str, Any]:
        """The part of a job that says what."""
        place = place_of(self.filename)
        return {
            "text": self.text,
            "filename": self.filename,
            "module": place.module,
            "path": list(place.path),
            "target": self.target.name,
        }


def verify(subject: Subject, client: Client, options: Options, cancelled: Cancelled = never) -> Verdict:
    """Run it and say what came of it. Raises LaunchError or DeviceError if nothing can be run at all."""
    hello = client.hello()
    device = options.resolved(hello)
    job = {"op": "verify", "device": device, **subject.job(), **options.job()}
    verdict = Verdict(subject.target.name, "inconclusive", "inconclusive: no inputs were found", "inferred", {})
    for inputs in _candidates(subject):
        answer = client.run({**job, "inputs": inputs}, cancelled)
        verdict = _verdict(subject, inputs, judge(answer), float(answer.get("seconds", 0.0)))
        if verdict.verdict != "inconclusive" or cancelled():
            break
    return replace(verdict, torch=hello.torch, device=device, seed=options.seed)


def _verdict(subject: Subject, inputs: Inputs, found: Judgement, seconds: float) -> Verdict:
    tape = found.tape
    return Verdict(
        function=subject.target.name,
        verdict=found.verdict,
        reason=found.reason,
        source=inputs["source"],
        arguments=inputs["arguments"],
        error=found.error,
        violations=violations(tape) if tape else (),
        findings=findings(tape) if tape else (),
        tape=tape,
        seconds=seconds,
        output=found.output,
        notes=found.notes,
    )


def _candidates(subject: Subject) -> Iterator[Inputs]:
    if subject.target.name == MODULE:
        yield PROGRAM
    else:
        yield {**PROGRAM, "source": "inferred"}
