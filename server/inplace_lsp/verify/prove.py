"""From a place in a file to a verdict: inputs, one run after the other until one can be judged, the judgement."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from inplace_lsp.hazards import ip103
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hazard import REFUSED
from inplace_lsp.hazards.registry import find_all, find_family
from inplace_lsp.messages.answers import Answer, Raised
from inplace_lsp.messages.inputs import Inputs
from inplace_lsp.messages.job import Job, Op
from inplace_lsp.tape.model import Event, Save, Span, Tape, Write
from inplace_lsp.verify.absence import explain_absence
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.compare import Prediction, describe_differences, facts_about, predict
from inplace_lsp.verify.inputs import find_candidates
from inplace_lsp.verify.inputs.call_variants import separate_parts
from inplace_lsp.verify.inputs.model import Hints, Missing, describe_inputs
from inplace_lsp.verify.inputs.prepare import list_preparations
from inplace_lsp.verify.inputs.unfinished import is_unfinished
from inplace_lsp.verify.launch import Cancelled, never_cancelled
from inplace_lsp.verify.next_steps import notes_about_missing, with_next_step
from inplace_lsp.verify.options import CPU, Options
from inplace_lsp.verify.target import Target, place_of
from inplace_lsp.verify.trials import Trials
from inplace_lsp.verify.verdict import (
    SILENT,
    TELLING,
    Judgement,
    Verdict,
    Violation,
    find_assignments_to_made_up,
    judge_answer,
    violations,
    written_by_users,
)
from inplace_lsp.verify.workspace import ProjectFiles

MORE_RUNS = 8
"""Further inputs that are tried where a finding is to be confirmed and the first ones did not reproduce it."""
NO_INPUTS = "no inputs were found"
GUESSED = ("annotation", "inferred")


@dataclass(frozen=True, slots=True)
class Subject:
    """What is verified: a definition in a text, which need not be what is on the disk. `filename` is absolute.

    `hints`: what a run has to reach to be worth something. `opened`: texts of other files, newer than the disk's.
    `python`: the environment on this machine that the user names, "" if none.
    """

    text: str
    filename: str
    target: Target
    hints: Hints = field(default_factory=Hints)
    opened: Mapping[str, str] = field(default_factory=dict)
    python: str = ""

    def build_job(self, options: Options, device: str) -> Job:
        """Return the job to verify it, still without inputs."""
        place = place_of(self.filename)
        return Job(
            Op.VERIFY,
            self.text,
            self.filename,
            self.target.name,
            options.deadline,
            module=place.module,
            path=tuple(place.path),
            rows=(self.target.row, self.target.end_row),
            device=device,
            seed=options.seed,
            allow=tuple(options.allow),
            limits=options.limits(),
        )


def predict_subject(subject: Subject) -> Prediction:
    """Return what the static analysis says of the subject."""
    return predict(subject.text, subject.filename, subject.target, facts_about(subject.filename, subject.python))


def verify(
    subject: Subject,
    client: Client,
    options: Options,
    cancelled: Cancelled = never_cancelled,
    predicted: Prediction | None = None,
) -> Verdict:
    """Run the subject and return the verdict. `predicted`: the static analysis, if known.

    Raises LaunchError or DeviceError if nothing can be run at all.
    """
    hello = client.hello(cancelled)
    device = options.choose_device(hello)
    trials = Trials(client, subject.build_job(options, CPU), cancelled)
    predicted = predicted or predict_subject(subject)
    verdict, inputs = _find_telling_verdict(subject, trials, predicted)
    if device != CPU and inputs is not None:
        verdict = _verify_on_gpu(subject, trials, inputs, verdict, device, asked=options.device != "auto")
    verdict = replace(_add_absence(verdict, predicted, subject.text), torch=hello.torch, seed=options.seed)
    told = (*notes_about_missing(verdict.not_installed), *describe_differences(predicted, verdict, subject.target))
    verdict = replace(verdict, notes=(*verdict.notes, *told))
    return with_next_step(verdict, subject.target, subject.filename, hello.executable)


def _verify_on_gpu(
    subject: Subject, trials: Trials, inputs: Inputs, on_cpu: Verdict, device: str, *, asked: bool
) -> Verdict:
    """Return the verdict of a run on a GPU with the inputs that were found on the CPU, where a run begins in a fraction
    of the time. Unless the GPU was `asked` for, it counts only if it shows more."""
    if not asked and on_cpu.verdict in TELLING:
        return on_cpu
    verdict = replace(_verdict_of(subject, inputs, trials.run_on(device, inputs)), device=device)
    shows_more = verdict.verdict in TELLING and _concerns_target(verdict, subject, led=_is_led(inputs, verdict))
    return verdict if asked or shows_more else on_cpu


def _add_absence(verdict: Verdict, predicted: Prediction, text: str) -> Verdict:
    """Return a verdict that shows nothing with the reason why the predicted hazards did not show."""
    if verdict.verdict != "not-reproduced" or verdict.tape is None:
        return verdict
    absent = explain_absence(predicted.findings, verdict.tape, text)
    return replace(verdict, why=f"{absent} ({verdict.why})") if absent else verdict


def _find_telling_verdict(subject: Subject, trials: Trials, predicted: Prediction) -> tuple[Verdict, Inputs | None]:
    """Return the verdict of the first inputs that show a hazard, else of the first that run, and these inputs."""
    used: Inputs | None = None
    best = Verdict(subject.target.name, "inconclusive", NO_INPUTS, "inferred", {})
    asked = _Asked(subject, predicted)
    more = MORE_RUNS
    for inputs in asked.add_to(find_inputs(subject, trials, predicted)):
        if isinstance(inputs, Missing):
            best = best if best.verdict != "inconclusive" else _verdict_without_inputs(best, inputs, trials)
            break
        verdict = _verdict_of(subject, inputs, trials.run(inputs))
        used = used or inputs
        if asked.is_missed_by(verdict) or asked.is_doubted_by(verdict):
            asked.beside.append(verdict.why)
        elif _concerns_target(verdict, subject, led=_is_led(inputs, verdict)):
            if best.verdict == "inconclusive" or verdict.verdict in TELLING:
                best, used = verdict, inputs
            if verdict.verdict in TELLING:
                break
            if verdict.verdict == "not-reproduced" and not (more and _may_still_show(verdict, predicted, subject)):
                break
            more -= verdict.verdict == "not-reproduced"
        elif verdict.verdict == "confirmed" and best.verdict == "inconclusive":
            best = set_aside(verdict)
        if trials.are_over():
            break
    return add_beside(best, asked.beside[0]) if asked.beside and best.verdict not in TELLING else best, used


class _Asked:
    """The findings of the line that was asked for: another kind of hazard in invented inputs is none of them."""

    def __init__(self, subject: Subject, predicted: Prediction) -> None:
        rows = subject.hints.rows
        self.beside: list[str] = []
        self._filename = subject.filename
        self._predicted = predicted.findings
        there = [
            finding
            for finding in predicted.findings
            if any(finding.span.row <= row <= finding.span.end_row for row in rows)
        ]
        strongest = next((level for level in _LEVELS if any(finding.severity == level for finding in there)), "")
        self._findings = [finding for finding in there if finding.severity == strongest]
        if strongest == "hint":  # it asks for inputs that no known call has; who asks means what is surer as well
            self._findings += [finding for finding in predicted.findings if finding.severity != "hint"]

    def is_missed_by(self, verdict: Verdict) -> bool:
        """Return whether invented inputs have shown something else only."""
        if not self._findings or verdict.verdict not in TELLING or verdict.source not in GUESSED:
            return False
        refused = verdict.tape is not None and bool(verdict.tape.refusals)
        shown = any(self._is_shown(violation, refused=refused) for violation in verdict.violations)
        return bool(verdict.violations) and not shown

    def is_doubted_by(self, verdict: Verdict) -> bool:
        """Return whether all that was shown are writes to what verify made up, and the analysis sees none of them."""
        rows = {finding.span.row for finding in self._predicted if finding.span.file == self._filename}
        doubtful = [one.written in verdict.doubtful and one.written.row not in rows for one in verdict.violations]
        return verdict.verdict in TELLING and bool(doubtful) and all(doubtful)

    def _is_shown(self, violation: Violation, *, refused: bool) -> bool:
        """Return whether the violation is one of the findings. Where torch `refused` a write, it came no further."""
        return any(
            violation.written.file == self._filename
            and finding.span.row <= violation.written.row <= finding.span.end_row
            and find_family(violation.code) == find_family(finding.code)
            and (not refused or finding.after is not None or find_family(finding.code) == REFUSED)
            for finding in self._findings
        )

    def add_to(self, candidates: Iterable[Inputs | Missing]) -> Iterator[Inputs | Missing]:
        """Yield the candidates, and behind one that showed something else, the same with tensors of their own where
        it gave parts of one: torch refuses to write those."""
        for inputs in candidates:
            seen = len(self.beside)
            yield inputs
            if len(self.beside) > seen and not isinstance(inputs, Missing):
                yield from separate_parts(inputs)


_LEVELS = ("error", "warning", "information", "hint")


def add_beside(verdict: Verdict, seen: str) -> Verdict:
    """Return the verdict with what invented inputs have shown that was not asked for."""
    return replace(verdict, why=f"{verdict.why}; also seen: {seen}")


def _is_led(inputs: Inputs, verdict: Verdict) -> bool:
    """Return whether a real call led to the function: a whole driver, or one that shows violations."""
    return inputs.driver is not None and (inputs.driver.whole or bool(verdict.violations))


def _concerns_target(verdict: Verdict, subject: Subject, *, led: bool) -> bool:
    """Return whether the run's result is about the target, not about code before or after it. `led`: a larger program
    led to the target, so a write or save must be inside it."""
    raised, target = verdict.raised, subject.target
    if verdict.verdict != "confirmed" or raised is None:
        return not led or _is_in_target(target, subject.filename, verdict.violations)
    if raised.within and not led:
        return True
    told = verdict.violations if raised.within else _violations_raised(raised, verdict.violations)
    return raised.entered and _is_in_target(target, subject.filename, told)


def _violations_raised(raised: Raised, violations: Iterable[Violation]) -> Iterator[Violation]:
    """Yield the violations that torch's error can mean: those it reports where it raised; all, if that was a backward
    of the program's result, which no row has started."""
    violations = list(violations)
    files = {file for file, _ in raised.places}
    if not any(violation.written.file in files for violation in violations):
        yield from violations
        return
    for violation in violations:
        if any(
            (violation.raised.file, row) in raised.places
            for row in range(violation.raised.row, violation.raised.end_row + 1)
        ):
            yield violation


def _is_in_target(target: Target, filename: str, violations: Iterable[Violation]) -> bool:
    """Return whether a write or a save of the violations is in the target."""
    places = [place for violation in violations for place in (violation.written, violation.saved) if place is not None]
    return any(_is_within(place, target, filename) for place in places)


def _is_within(place: Span, target: Target, filename: str) -> bool:
    return place.file == filename and target.row <= place.row <= target.end_row


def set_aside(verdict: Verdict) -> Verdict:
    """Return what is left of a run in which torch raised because of something else."""
    raised = verdict.raised
    when = "outside of it" if raised is not None and raised.entered else "before it was called"
    why = f"torch raised {when}, so the error says nothing about {verdict.function}: {verdict.error}"
    return replace(verdict, verdict="inconclusive", why=why)


def _may_still_show(verdict: Verdict, predicted: Prediction, subject: Subject) -> bool:
    """Return whether other inputs may show the prediction, or what was asked about. A real call decides, unless the
    prediction outweighs it: a hint needs inputs that no known call has."""
    guessed = verdict.source in GUESSED
    if not guessed and _is_kept_by_hooks(verdict, subject):
        return False
    return bool(subject.hints.rows) or any(guessed or finding.severity != "hint" for finding in predicted.findings)


def _is_kept_by_hooks(verdict: Verdict, subject: Subject) -> bool:
    """Return whether hooks of the program, those of a checkpoint for example, kept what the target saved: calls
    without them say nothing of it."""
    target, tape = subject.target, verdict.tape
    if tape is None:
        return False
    return any(
        tape.is_unchecked(save)
        for _, save in tape.events_of(Save)
        if save.span.file == subject.filename and target.row <= save.span.row <= target.end_row
    )


def _verdict_without_inputs(best: Verdict, missing: Missing, trials: Trials) -> Verdict:
    """Return the verdict when there are no (more) inputs: what was missing, unless a run has shown more."""
    return replace(best, why=best.why if trials.runs else missing.what, missing=missing)


def _verdict_of(subject: Subject, inputs: Inputs, answer: Answer) -> Verdict:
    target = subject.target

    def concerns(finding: Finding) -> bool:
        places = [finding.span, *finding.places_of("saved")]
        return any(_is_within(place, target, subject.filename) for place in places)

    found = judge_unfinished(judge_answer(answer, concerns), inputs)
    tape = written_by_users(found.tape) if found.tape is not None else None
    own = [one for one in (find_all(tape) if tape else ()) if _is_done_by(target, subject.filename, one, tape)]
    if not any(found.verdict == "silent" or not finding.code.startswith(SILENT) for finding in own):
        found = judge_made_up_order(found, inputs)
    return Verdict(
        function=subject.target.name,
        verdict=found.verdict,
        why=found.why,
        source=inputs.source,
        arguments=describe_inputs(inputs),
        error=found.error,
        violations=violations(tape) if tape else (),
        findings=find_all(tape) if tape else (),
        tape=tape,
        seconds=answer.seconds,
        output=found.output,
        notes=found.notes,
        held_back_by=found.held_back_by,
        raised=found.raised,
        not_installed=found.not_installed,
        doubtful=find_assignments_to_made_up(found.tape) if found.tape is not None else frozenset(),
    )


def judge_unfinished(found: Judgement, inputs: Inputs) -> Judgement:
    """Return the judgement that an unfinished object allows: it can show a hazard, but not that there is none."""
    if found.verdict != "not-reproduced" or not is_unfinished(inputs.receiver or ""):
        return found
    why = f"the constructor failed, and with the unfinished object {found.why}"
    return replace(found, verdict="inconclusive", why=why)


def judge_made_up_order(found: Judgement, inputs: Inputs) -> Judgement:
    """Return the judgement that is left if methods which verify called before the target are to blame: nobody may call
    them in that order."""
    before = list_preparations(inputs.receiver or "") if inputs.source in GUESSED else ()
    if not before or found.verdict not in TELLING:
        return found
    shown = "torch raised" if found.verdict == "confirmed" else "the hazard shows"
    why = f"{shown} after calls in an order that verify made up: {', '.join(before)}"
    return replace(found, verdict="inconclusive", why=why)


def _is_done_by(target: Target, filename: str, finding: Finding, tape: Tape | None) -> bool:
    """Return whether the write of a finding happened in the target or in what that called; of two backwards through
    one graph, both."""
    events = tape.events if tape is not None else ()
    inside = {event.span for event in events if _is_within(_find_call(event), target, filename)}
    blamed = [finding.span, *(finding.places_of("backward") if finding.code == ip103.CODE else ())]
    return all(place in inside for place in blamed)


def _find_call(event: Event) -> Span:
    """Return the statement of the function that was run: of other events than writes only their own is known."""
    return (event.call or event.span) if isinstance(event, Write) else event.span


def find_inputs(subject: Subject, trials: Trials, predicted: Prediction) -> Iterator[Inputs | Missing]:
    """Yield inputs to run the subject with, the most telling first; at the end what is missing."""
    return find_candidates(
        subject.text,
        subject.filename,
        subject.target.name,
        probe=trials.probe,
        clock=trials.clock,
        module=place_of(subject.filename).module,
        workspace=ProjectFiles(subject.filename, subject.opened),
        hints=subject.hints.join_hints(predicted.hints()),
    )
