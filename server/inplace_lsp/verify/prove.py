"""From a place in a file to a verdict: inputs, one run after the other until one can be judged, the judgement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.registry import findings
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.compare import Prediction, differences, predict
from inplace_lsp.verify.inputs import candidates
from inplace_lsp.verify.inputs.model import Hints, Inputs, Missing, described
from inplace_lsp.verify.launch import Cancelled, never
from inplace_lsp.verify.next_steps import notes_about_missing, with_next_step
from inplace_lsp.verify.options import Options
from inplace_lsp.verify.target import Target, place_of
from inplace_lsp.verify.trials import Trials
from inplace_lsp.verify.verdict import TELLING, Raised, Verdict, Violation, judge, violations, written_by_users
from inplace_lsp.verify.workspace import ProjectFiles

MORE_RUNS = 5
"""Further inputs that are tried where a finding is to be confirmed and the first ones did not reproduce it."""
GUESSED = ("annotation", "inferred")


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
            "rows": [self.target.row, self.target.end_row],
        }


def verify(
    subject: Subject,
    client: Client,
    options: Options,
    cancelled: Cancelled = never,
    predicted: Prediction | None = None,
) -> Verdict:
    """Run it and say what came of it. `predicted`: what the analysis says, if that is known already.

    Raises LaunchError or DeviceError if nothing can be run at all.
    """
    hello = client.hello(cancelled)
    device = options.resolved(hello)
    trials = Trials(client, {**subject.job(), **options.job(), "device": device}, cancelled)
    if predicted is None:
        predicted = predict(subject.text, subject.filename, subject.target)
    verdict = _first_that_tells(subject, trials, predicted)
    verdict = replace(verdict, torch=hello.torch, device=device, seed=options.seed)
    told = (*notes_about_missing(verdict.not_installed), *differences(predicted, verdict, subject.target))
    verdict = replace(verdict, notes=(*verdict.notes, *told))
    return with_next_step(verdict, subject.target, subject.filename, hello.executable)


def _first_that_tells(subject: Subject, trials: Trials, predicted: Prediction) -> Verdict:
    """The verdict of the first inputs that show a hazard; else of the first that the target runs with."""
    best = Verdict(subject.target.name, "inconclusive", "inconclusive: no inputs were found", "inferred", {})
    more = MORE_RUNS
    for inputs in _candidates(subject, trials, predicted):
        if isinstance(inputs, Missing):
            return best if best.verdict != "inconclusive" else _without_inputs(best, inputs, trials)
        verdict = _verdict(subject, inputs, trials.run(inputs))
        led = inputs.driver is not None and (inputs.driver.whole or bool(verdict.violations))
        if not _concerns(verdict, subject, led=led):
            if verdict.verdict == "confirmed" and best.verdict == "inconclusive":
                best = _set_aside(verdict)
            if trials.are_over():
                break
            continue
        if best.verdict == "inconclusive" or verdict.verdict in TELLING:
            best = verdict
        if verdict.verdict in TELLING or trials.are_over():
            break
        if verdict.verdict == "not-reproduced":
            if not more or not _may_still_show(verdict, predicted, subject):
                break
            more -= 1
    return best


def _concerns(verdict: Verdict, subject: Subject, *, led: bool) -> bool:
    """Whether what a run showed is about the target, and not about what was done before or after it. `led`: a program
    that does more than to call the target led there, so that a write or a save has to be in it."""
    raised, target = verdict.raised, subject.target
    if verdict.verdict != "confirmed" or raised is None:
        return not led or _is_in(target, subject.filename, verdict.violations)
    if raised.within and not led:
        return True
    told = verdict.violations if raised.within else _told_of(raised, verdict.violations)
    return raised.entered and _is_in(target, subject.filename, told)


def _told_of(raised: Raised, violations: Iterable[Violation]) -> Iterator[Violation]:
    """The violations that torch can have meant: those that it comes upon where it raised."""
    for one in violations:
        if any((one.raised.file, row) in raised.places for row in range(one.raised.row, one.raised.end_row + 1)):
            yield one


def _is_in(target: Target, filename: str, violations: Iterable[Violation]) -> bool:
    """Whether a write or a save of the violations is in the target."""
    places = [place for one in violations for place in (one.written, one.saved) if place is not None]
    return any(place.file == filename and target.row <= place.row <= target.end_row for place in places)


def _set_aside(verdict: Verdict) -> Verdict:
    """What is left of a run in which torch raised because of something else."""
    raised = verdict.raised
    when = "outside of it" if raised is not None and raised.entered else "before it was called"
    reason = f"inconclusive: torch raised {when}, which tells nothing about {verdict.function}: {verdict.error}"
    return replace(verdict, verdict="inconclusive", reason=reason)


def _may_still_show(verdict: Verdict, predicted: Prediction, subject: Subject) -> bool:
    """Whether other inputs may show what was predicted, or asked about. A real call stands, unless the prediction
    counts more than it: a hint is what no known call brings about."""
    guessed = verdict.source in GUESSED
    return bool(subject.hints.rows) or any(guessed or one.severity != "hint" for one in predicted.findings)


def _without_inputs(best: Verdict, missing: Missing, trials: Trials) -> Verdict:
    """There are no (more) inputs: what was missing, unless a run has said more."""
    reason = best.reason if trials.runs else f"inconclusive: {missing.what}"
    return replace(best, reason=reason, missing=missing)


def _verdict(subject: Subject, inputs: Inputs, answer: Mapping[str, Any]) -> Verdict:
    target = subject.target

    def concerns(one: Finding) -> bool:
        places = [one.span, *(place.span for place in one.related if place.role == "saved")]
        return any(place.file == subject.filename and target.row <= place.row <= target.end_row for place in places)

    found = judge(answer, concerns)
    tape = written_by_users(found.tape) if found.tape is not None else None
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
        seconds=float(answer.get("seconds", 0.0)),
        output=found.output,
        notes=found.notes,
        held_back_by=found.held_back_by,
        raised=found.raised,
        not_installed=found.not_installed,
    )


def _candidates(subject: Subject, trials: Trials, predicted: Prediction) -> Iterator[Inputs | Missing]:
    return candidates(
        subject.text,
        subject.filename,
        subject.target.name,
        probe=trials.probe,
        module=place_of(subject.filename).module,
        workspace=ProjectFiles(subject.filename, subject.opened),
        hints=subject.hints.joined(predicted.hints()),
    )
