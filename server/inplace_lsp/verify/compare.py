"""Compare the prediction with the observation, event by event: where do the two recorders disagree?"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher

from inplace_lsp import engine
from inplace_lsp.config import ConfigError, config_for_file
from inplace_lsp.facts.models import make_facts
from inplace_lsp.facts.modules import Modules
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.tape.autograd import PRIVATE, keeps_nothing
from inplace_lsp.tape.model import Event, Save, Tape, Write
from inplace_lsp.verify.inputs.model import Hints
from inplace_lsp.verify.target import MODULE, Target
from inplace_lsp.verify.verdict import Verdict

SHOWN = 6
"""Maximum number of differences that are described: mostly the others follow from the first."""

_Step = tuple[str, int, str]
"""What is compared of an event: save or write, the row, the op."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """What the static analysis says about a target: its findings there, and the tape of each path it looked at.
    `elsewhere`: its findings in the rest of the file, where the target may call what it finds. `callers`: the functions
    by which alone it came to the findings."""

    filename: str
    findings: tuple[Finding, ...] = ()
    tapes: tuple[Tape, ...] = ()
    elsewhere: tuple[Finding, ...] = ()
    callers: tuple[str, ...] = ()

    def hints(self) -> Hints:
        """Return what the inputs must reach for the predicted findings to show."""
        needy = (assumed.removesuffix(" requires grad") for finding in self.findings for assumed in finding.assumptions)
        return Hints(
            tuple(finding.span.row for finding in self.findings),
            frozenset(name for name in needy if " " not in name),
            self.callers,
            frozenset(name for finding in self.findings for name in _list_written(finding)),
        )


def facts_about(filename: str, python: str = "") -> Modules:
    """Return the facts on the disk besides the file: its modules, those of the environment that `python` names, if it
    does, and the project's model files. A broken configuration names none; the check of the file reports it."""
    try:
        config = config_for_file(filename)
        return make_facts(replace(config, python=python or config.python))
    except ConfigError:
        return Modules(python=python)


def predict(text: str, filename: str, target: Target, modules: Modules | None = None) -> Prediction:
    """Return the static analysis of the definition `target` of `text`. `modules` describe the imported ones; without
    them they are looked up on the disk."""
    facts = modules or facts_about(filename)
    analysis = engine.analyse_source(text, filename, facts)
    found = [finding for finding in analysis.findings if finding.span.file == filename]
    of_program = target.name == MODULE
    inside = [finding for finding in found if of_program or target.row <= finding.span.row <= target.end_row]
    outer = target.name.split(".<locals>")[0]
    tapes = tuple(tape for tape in analysis.tapes if tape.function in (target.name, outer))
    if not tapes and not of_program:  # the analysis did not run it
        tapes = engine.tapes_at(text, filename, target.row, facts)
    elsewhere = tuple(finding for finding in found if finding not in inside)
    return Prediction(filename, tuple(inside), tapes, elsewhere, _callers_of(inside, tapes, analysis.tapes))


def _list_written(finding: Finding) -> Iterator[str]:
    """Yield the names of the tensors that are written where a finding is."""
    yield from (event.tensor.name for event in finding.story if isinstance(event, Write) and event.span == finding.span)


def _callers_of(findings: Sequence[Finding], own: Sequence[Tape], tapes: Iterable[Tape]) -> tuple[str, ...]:
    """Return the functions that come to a finding, if the function itself does not."""
    if any(_shows(tape, finding) for tape in own for finding in findings):
        return ()
    callers = (tape.function for tape in tapes if any(_shows(tape, finding) for finding in findings))
    return tuple(dict.fromkeys(callers))


def _shows(tape: Tape, finding: Finding) -> bool:
    """Return whether a run wrote and saved where a finding says."""
    writes = {event.span for event in tape.events if isinstance(event, Write)}
    saves = {event.span for event in tape.events if isinstance(event, Save)}
    saved = set(finding.places_of("saved"))
    return finding.span in writes and saved <= saves


def describe_differences(predicted: Prediction, verdict: Verdict, target: Target, most: int = SHOWN) -> tuple[str, ...]:
    """Return in words where prediction and observation differ about `target`, at most `most`; nothing if one of them is
    missing or the run broke off."""
    if verdict.tape is None or not predicted.tapes or verdict.verdict == "inconclusive":
        return ()
    events = (_events_as_far_as(verdict.tape, tape) for tape in predicted.tapes)
    paths = [_steps_of(path, predicted.filename) for path in events]
    observed = _steps_of(verdict.tape.events, predicted.filename)
    if target.name != MODULE:  # a real call's program does more
        rows = {row for path in paths for _, row, _ in path} | set(range(target.row, target.end_row + 1))
        observed = [step for step in observed if step[1] in rows]
    nearest = min(paths, key=lambda path: sum(1 for _ in _describe_unmatched(path, observed)))
    unseen = _private_saves(predicted)
    told = [*_compare_findings(predicted, verdict), *_describe_unmatched(nearest, observed, unseen)]
    more = len(told) - most
    return (*told[:most], *([f"and {more} more differences from the prediction"] if more > 0 else []))


def _events_as_far_as(observed: Tape, predicted: Tape) -> Sequence[Event]:
    """Return the predicted events, up to the refusal that ended the run if one did."""
    survived = len(observed.refusals)
    if observed.error is None or survived >= len(predicted.refusals):
        return predicted.events
    return predicted.events[: predicted.refusals[survived] + 1]


def _private_saves(predicted: Prediction) -> set[_Step]:
    """Return the saves of something of an op's own, which a run does not show."""
    saves = (event for tape in predicted.tapes for event in tape.events if isinstance(event, Save))
    return {_step_of(save) for save in saves if save.role == PRIVATE}


def _compare_findings(predicted: Prediction, verdict: Verdict) -> Iterator[str]:
    foretold = {(finding.span.row, finding.code) for finding in predicted.findings}
    hints = {(finding.span.row, finding.code) for finding in predicted.findings if finding.severity == "hint"}
    seen = {
        (violation.written.row, violation.code)
        for violation in verdict.violations
        if violation.written.file == predicted.filename
    }
    behind = {(finding.span.row, finding.code) for finding in predicted.findings if finding.after is not None}
    for row, code in sorted(foretold - seen - hints - behind):
        yield f"`check` reports {code} on line {row}; this run did not reach it"
    reported = foretold | {(finding.span.row, finding.code) for finding in predicted.elsewhere}
    for row, code in sorted(seen - reported):
        yield f"this run shows {code} on line {row}, which `check` does not report"


def _step_of(event: Save | Write) -> _Step:
    return "save" if isinstance(event, Save) else "write", event.span.row, event.op.rstrip("_")


def _steps_of(events: Iterable[Event], filename: str) -> list[_Step]:
    """Return the saves and writes in the file in order; repeated steps of a line count once. A write to memory that no
    op has saved (the initial values of a layer) is no step."""
    steps: list[_Step] = []
    saved: set[int] = set()
    for event in events:
        if isinstance(event, Save) and keeps_nothing(event):
            continue
        if isinstance(event, Save):
            saved.add(event.tensor.storage)
        elif not (isinstance(event, Write) and event.tensor.storage in saved):
            continue
        step = _step_of(event)
        if event.span.file == filename and steps[-1:] != [step]:
            steps.append(step)
    return steps


def _describe_unmatched(predicted: list[_Step], observed: list[_Step], unseen: Container[_Step] = ()) -> Iterator[str]:
    """Yield the steps that only one of the two has: once for a loop, not for an op with two names (assigning an item is
    `index_put`, too), and not for steps that no run shows, `unseen`."""
    told: set[str] = set()
    foretold, seen = {step[:2] for step in predicted}, {step[:2] for step in observed}
    for tag, i, j, k, m in SequenceMatcher(None, predicted, observed, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        only = [
            f"{_describe_step(step)} was predicted but did not happen"
            for step in predicted[i:j]
            if step[:2] not in seen and step not in unseen
        ]
        new = [
            f"{_describe_step(step)} happened that was not predicted"
            for step in observed[k:m]
            if step[:2] not in foretold
        ]
        for words in (*only, *new):
            if words not in told:
                told.add(words)
                yield words


def _describe_step(step: _Step) -> str:
    kind, row, op = step
    return f"line {row}: {'a save by' if kind == 'save' else 'a write by'} `{op}`"
