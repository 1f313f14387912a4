"""From a place in a file to a verdict: inputs, one run after the other until one can be judged, the judgement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inplace_lsp.hazards.registry import findings
from inplace_lsp.verify.client import Cancelled, Client, never
from inplace_lsp.verify.inputs import candidates
from inplace_lsp.verify.inputs.model import Hints, Inputs, Missing, described, plain
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.target import Target, place_of
from inplace_lsp.verify.trials import probing
from inplace_lsp.verify.verdict import TELLING, Judgement, Verdict, judge, violations
from inplace_lsp.verify.workspace import ProjectFiles

MORE_RUNS = 5
"""Further inputs that are tried where a finding is to be confirmed and the first ones did not reproduce it."""


@dataclass(frozen=True, slots=True)
class Subject:
    """What is verified: a definition in a text, which need not be what is on the disk. `filename` is absolute.

    `hints`: what a run has to reach to be worth something. `opened`: texts of other files, newer than the disk's.
    """

    text: str
    filename: str
    target: Target
    hints: Hints = field(default_factory=Hints)
    opened: Mapping[str, str] = field(default_factory=dict)

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
    verdict = _first_that_tells(subject, client, job, cancelled)
    return replace(verdict, torch=hello.torch, device=device, seed=options.seed)


def _first_that_tells(subject: Subject, client: Client, job: dict[str, Any], cancelled: Cancelled) -> Verdict:
    """The verdict of the first inputs that show the hazard; else of the first that the target runs with."""
    best: Verdict | None = None
    more = MORE_RUNS if subject.hints.rows else 0
    for inputs in _candidates(subject, client, cancelled):
        if isinstance(inputs, Missing):
            best = best or _nothing_found(subject, inputs)
            best = replace(best, missing=inputs) if best.verdict == "inconclusive" else best
            break
        answer = client.run({**job, "inputs": plain(inputs)}, cancelled)
        verdict = _verdict(subject, inputs, judge(answer), float(answer.get("seconds", 0.0)))
        if inputs.driver is not None and inputs.driver.whole and not _concerns(verdict, subject.target):
            continue
        if best is None or best.verdict == "inconclusive" or verdict.verdict in TELLING:
            best = verdict
        if verdict.verdict in TELLING or cancelled():
            break
        more -= verdict.verdict == "not-reproduced"
        if verdict.verdict == "not-reproduced" and more < 0:
            break
    return best or Verdict(subject.target.name, "inconclusive", "inconclusive: no inputs were found", "inferred", {})


def _concerns(verdict: Verdict, target: Target) -> bool:
    """Whether what a whole program showed is about the target: a write or a save in it."""
    places = [place for one in verdict.violations for place in (one.written, one.saved) if place is not None]
    return any(target.row <= place.row <= target.end_row for place in places)


def _nothing_found(subject: Subject, missing: Missing) -> Verdict:
    return Verdict(subject.target.name, "inconclusive", f"inconclusive: {missing.what}", "inferred", {})


def _verdict(subject: Subject, inputs: Inputs, found: Judgement, seconds: float) -> Verdict:
    tape = found.tape
    return Verdict(
        function=subject.target.name,
        verdict=found.verdict,
        reason=found.reason,
        source=inputs.source,
        arguments=described(inputs),
        error=found.error,
        violations=violations(tape) if tape else (),
        findings=findings(tape) if tape else (),
        tape=tape,
        seconds=seconds,
        output=found.output,
        notes=found.notes,
    )


def _candidates(subject: Subject, client: Client, cancelled: Cancelled) -> Iterator[Inputs | Missing]:
    job = subject.job()
    return candidates(
        subject.text,
        subject.filename,
        subject.target.name,
        probe=probing(client, job, cancelled),
        module=job["module"],
        workspace=ProjectFiles(subject.filename, subject.opened),
        hints=subject.hints,
    )
