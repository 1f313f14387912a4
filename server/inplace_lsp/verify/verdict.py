"""What a run came to: from the worker's answer to confirmed, silent, not-reproduced or inconclusive.

The plain run's outcome is the truth; the recorded one names the writes. A hazard counts as confirmed only if torch
itself raised: in the plain run, or at a write or backward whose exception the code has caught.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from inplace_lsp.hazards import ip101, ip102, ip301
from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hits import find_ignored_hits, find_loud_hits, find_silent_hits
from inplace_lsp.hazards.registry import find_all, is_hazard
from inplace_lsp.messages.answers import Answer, FailedAt, Raised, RunReport
from inplace_lsp.tape.autograd import DETACH
from inplace_lsp.tape.codec import FormatError, from_plain
from inplace_lsp.tape.errors_of_torch import MESSAGES
from inplace_lsp.tape.model import MADE_UP, Actor, Backward, Check, Reject, Save, Span, Tape, Write
from inplace_lsp.verify import gradients
from inplace_lsp.verify.inputs.model import Missing

Kind = Literal["confirmed", "silent", "not-reproduced", "inconclusive"]
SILENT = "IP3"

_OF_MEMORY = ("MemoryError", "allocate memory", "out of memory")
"""Parts of the errors of a run for which there was not enough memory."""

_SHOWN = 80
"""Number of characters that are shown of the line on which a run failed."""

Concerns = Callable[[Finding], bool]

TELLING: tuple[Kind, ...] = ("confirmed", "silent")
"""The verdicts that show a hazard."""


@dataclass(frozen=True, slots=True)
class Violation:
    """A write, what it broke, and the versions. What torch refuses on the spot breaks no save. `op` is the op that
    had saved the tensor, or the one that was refused, `raised` the statement at which torch tells of it."""

    code: str
    written: Span
    saved: Span | None
    expected_version: int | None
    found_version: int | None
    op: str
    raised: Span


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "is it so?", and all that it rests on. `why` is the reason behind the verdict; `output` is what the
    code printed; `missing` what was not found to run it with; `held_back_by` what kept its writes in its own folder;
    `not_installed` the modules that had stand-ins; `doubtful` statements that write a tensor in this run, where the
    real program may give a list and write none; `install` the command that would bring those without which nothing was
    decided."""

    function: str
    verdict: Kind
    why: str
    source: str
    arguments: Mapping[str, str]
    error: str | None = None
    violations: tuple[Violation, ...] = ()
    findings: tuple[Finding, ...] = ()
    tape: Tape | None = None
    torch: str = ""
    device: str = "cpu"
    seed: int = 0
    seconds: float = 0.0
    output: str = ""
    notes: tuple[str, ...] = ()
    missing: Missing | None = None
    held_back_by: tuple[str, ...] = ()
    raised: Raised | None = None
    not_installed: tuple[str, ...] = ()
    doubtful: frozenset[Span] = frozenset()
    install: str = ""

    @property
    def reason(self) -> str:
        """Return the reason as a sentence of its own."""
        return tell_reason(self.verdict, self.why)


def tell_reason(verdict: str, why: str) -> str:
    """Return the reason of a verdict as a sentence of its own: one that decides nothing says so first."""
    return f"inconclusive: {why}" if verdict == "inconclusive" else why


@dataclass(frozen=True, slots=True)
class Judgement:
    """The part of a verdict that the worker's answer decides."""

    verdict: Kind
    why: str
    error: str | None = None
    tape: Tape | None = None
    output: str = ""
    notes: tuple[str, ...] = ()
    held_back_by: tuple[str, ...] = ()
    raised: Raised | None = None
    not_installed: tuple[str, ...] = ()


def judge_answer(answer: Answer, concerns: Concerns = bool) -> Judgement:
    """Return the judgement of a worker's answer. `concerns`: whether a finding is about the requested function; others
    come after those."""
    if answer.cancelled:
        return Judgement("inconclusive", "cancelled")
    plain, recorded = answer.plain, answer.recorded
    if plain is None or recorded is None:
        return Judgement("inconclusive", answer.failed or "the process that runs the code gave no answer")
    tape = _read_tape(recorded)
    verdict, why = _weigh_evidence(plain, recorded, tape, concerns)
    return Judgement(
        verdict,
        why,
        plain.error,
        tape,
        plain.output,
        notes=tuple(dict.fromkeys([*plain.notes, *recorded.notes, *map(describe_left, answer.left)])),
        held_back_by=plain.held_back_by,
        raised=_hazard_raised(plain),
        not_installed=tuple(dict.fromkeys([*plain.not_installed, *recorded.not_installed])),
    )


def describe_left(folder: str) -> str:
    """Tell of a folder that a run has left on the disk."""
    return f"the folder {folder} of a run could not be removed: please remove it"


def _hazard_raised(plain: RunReport) -> Raised | None:
    """Return torch's exception in the plain run, if it is about a hazard."""
    return plain.raised if plain.raised is not None and is_of_a_hazard(plain.raised.error) else None


def _read_tape(recorded: RunReport) -> Tape | None:
    try:
        return from_plain(json.loads(recorded.tape)) if recorded.tape else None
    except FormatError:
        return None


def _weigh_evidence(plain: RunReport, recorded: RunReport, tape: Tape | None, concerns: Concerns) -> tuple[Kind, str]:
    if plain.failed:
        return "inconclusive", f"{plain.failed}{_tell_where(plain.failed_at)}"
    if tape is None or recorded.failed:
        return _judge_without_record(plain, recorded)
    found = find_all(written_by_users(tape))
    if not found and (made_up := _describe_made_up(tape)):
        return "inconclusive", f"the only hazard is in {made_up}: the real one may save nothing"
    loud = [finding for finding in found if not finding.code.startswith(SILENT)]
    raised = _hazard_raised(plain)
    if raised is not None:
        sure: Kind = "confirmed" if found or raised.inside else "inconclusive"
        return sure, _describe_findings(loud or found, concerns) or _describe_unexplained(recorded, plain.error)
    if loud and _is_exception_caught(tape, plain):
        told = _describe_findings(loud, concerns)
        return "confirmed", f"{told} (the code catches torch's exception, or leaves the backward to its caller)"
    other = _describe_other_failure(plain, recorded)
    if other:
        return "inconclusive", other
    if loud:
        return "inconclusive", f"the two runs differ: torch raised nothing, but {_describe_findings(loud, concerns)}"
    return _judge_without_error(found, plain, recorded, tape, concerns)


def _judge_without_record(plain: RunReport, recorded: RunReport) -> tuple[Kind, str]:
    why = recorded.failed or "the recorder produced no trace"
    if _hazard_raised(plain) is not None and not recorded.late:
        return "confirmed", f"torch raised, but the recorded run does not show which write caused it: {why}"
    return "inconclusive", f"the recorded run failed: {why}"


def _describe_other_failure(plain: RunReport, recorded: RunReport) -> str:
    """Return why the runs say nothing about hazards: an error of another kind; "" if there was none."""
    if plain.error is None:
        return f"the recorder could not follow: {recorded.error}" if recorded.error else ""
    if any(part in plain.error for part in _OF_MEMORY):
        return f"it ran out of memory (--memory-limit allows more): {plain.error}"
    return f"{plain.needed or f'the code fails for another reason: {plain.error}'}{_tell_where(plain.failed_at)}"


def _tell_where(place: FailedAt | None) -> str:
    """Tell on which line of the project the run failed; "" if it was none."""
    if place is None:
        return ""
    line = place.text if len(place.text) <= _SHOWN else f"{place.text[:_SHOWN]}..."
    shown = f", `{line}`" if line else ""
    led = f", reached from line {place.led_from}" if place.led_from else ""
    return f" (at {place.file}:{place.row}{shown}{led})"


def written_by_users(tape: Tape) -> Tape:
    """Return the tape without the saves of functions that verify made up."""
    events = tuple(event for event in tape.events if not (isinstance(event, Save) and event.inside.startswith(MADE_UP)))
    return tape if len(events) == len(tape.events) else replace(tape, events=events)


def find_assignments_to_made_up(tape: Tape) -> frozenset[Span]:
    """Return the statements that do no more than assign to a part of what a function gave that verify made up: if the
    real one gives a list, they write no tensor."""
    given = {
        save.tensor.storage
        for _, save in tape.events_of(Save)
        if save.inside.startswith(MADE_UP) and save.role.startswith("result")
    }
    writes = [write for _, write in tape.events_of(Write) if write.tensor.storage in given]
    others = {write.span for write in writes if write.op not in _ASSIGNING}
    return frozenset(write.span for write in writes) - others


_ASSIGNING = ("copy_", "index_put_")


def _describe_made_up(tape: Tape) -> str:
    """Return in words what verify made up that keeps a written tensor; "" if nothing does."""
    keys = {hit.save.inside for hit in (*find_loud_hits(tape), *find_silent_hits(tape))}
    return " and ".join(sorted(key for key in keys if key.startswith(MADE_UP)))


def _describe_unexplained(recorded: RunReport, error: str | None) -> str:
    other = recorded.error
    how = f"; that run ended differently: {other}" if other and other != error else ""
    return f"torch raised this kind of error, but no write in the recorded run explains it{how}"


def _judge_without_error(
    found: Iterable[Finding], plain: RunReport, recorded: RunReport, tape: Tape, concerns: Concerns
) -> tuple[Kind, str]:
    used = plain.given_tensors
    silent = tuple(found)
    if silent:
        off = gradients.largest_difference(plain.gradients, recorded.gradients)
        return "silent", f"{_describe_findings(silent, concerns)}; torch says nothing{f', and {off}' if off else ''}"
    if used:
        listed = ", ".join(f"`{tensor}`" for tensor in used)
        return (
            "inconclusive",
            f"it ran without an error, but {listed} was given tensors and is not installed: what it does is unknown",
        )
    if not any(isinstance(event, Backward) for event in tape.events):
        return "not-reproduced", "it ran without an error, and with these inputs nothing needed a gradient"
    checks = sum(isinstance(event, Check) for event in tape.events)
    return "not-reproduced", f"it ran without an error with these inputs: {_count_saved(checks)} as backward expects"


def _count_saved(count: int) -> str:
    return "the one saved tensor was" if count == 1 else f"{count} saved tensors were"


def is_of_a_hazard(error: str | None) -> bool:
    """Return whether torch's message is about an in-place write or a freed graph."""
    return error is not None and any(part in error for part in MESSAGES)


def _is_exception_caught(tape: Tape, plain: RunReport) -> bool:
    """Return whether torch raised although the run succeeded, or would at the caller's backward."""
    refused = any(isinstance(event, Reject) or (isinstance(event, Write) and event.refused) for event in tape.events)
    assumed = any(isinstance(event, Backward) and event.assumed for event in tape.events)
    return refused or assumed or any(map(is_of_a_hazard, plain.caught))


def _describe_findings(found: Iterable[Finding], concerns: Concerns) -> str:
    """Describe the findings about the requested function, then the others."""
    own: list[str] = []
    others: list[str] = []
    for finding in found:
        (own if concerns(finding) else others).append(f"on line {finding.span.row}, {finding.message.rstrip('.')}")
    also = "also seen: " if own and others else ""
    return "; ".join([*own, *(f"{also}{other}" for other in others[:1]), *others[1:]])


def violations(tape: Tape) -> tuple[Violation, ...]:
    """Return all violations on a tape, each once: the write, the save and the versions."""
    found: dict[tuple[object, ...], Violation] = {}
    for violation in (*_violations_of_saves(tape), *_violations_of_findings(tape)):
        found.setdefault((violation.code, violation.written, violation.saved, violation.op), violation)
    return tuple(sorted(found.values(), key=lambda violation: (violation.written, violation.code)))


def _violations_of_saves(tape: Tape) -> Iterator[Violation]:
    silent = [*find_silent_hits(tape), *find_ignored_hits(tape)]
    for code_of, hits in ((_code_of_write, find_loud_hits(tape)), (lambda _: ip301.CODE, silent)):
        for hit in hits:
            yield Violation(
                code_of(hit.write),
                hit.write.span,
                hit.save.span,
                hit.save.tensor.version,
                hit.check.found_version,
                hit.save.op,
                hit.check.span,
            )


def _code_of_write(write: Write) -> str:
    return ip101.CODE if write.actor is not Actor.STEP or write.op == DETACH else ip102.CODE


def _violations_of_findings(tape: Tape) -> Iterator[Violation]:
    """Yield the findings that no pair of write and save explains."""
    for finding in find_all(tape):
        if is_hazard(finding.code, lambda hazard: hazard.is_write_to_saved):
            continue
        saved = next(iter(finding.places_of("saved")), None)
        yield Violation(finding.code, finding.span, saved, None, None, _op_at(finding), finding.span)


def _op_at(finding: Finding) -> str:
    events = [event for event in finding.story if isinstance(event, (Write, Reject, Save))]
    here = [event for event in events if event.span == finding.span] or events
    return here[-1].op if here else ""
