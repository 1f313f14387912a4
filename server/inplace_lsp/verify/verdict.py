"""What a run came to: from the worker's answer to confirmed, silent, not-reproduced or inconclusive.

The plain run's outcome is the truth; the recorded one names the writes. A hazard counts as confirmed only if torch
itself raised: in the plain run, or at a write or backward whose exception the code has caught.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.hazards.hits import DETACH, ignored_hits, loud_hits, silent_hits
from inplace_lsp.hazards.registry import findings
from inplace_lsp.tape.codec import FormatError, from_plain
from inplace_lsp.tape.model import MADE_UP, Actor, Backward, Check, Reject, Save, Span, Tape, Write
from inplace_lsp.verify import gradients
from inplace_lsp.verify.inputs.model import Missing
from inplace_lsp.verify.messages import MESSAGES

Kind = Literal["confirmed", "silent", "not-reproduced", "inconclusive"]
SILENT = "IP3"
STAND_IN_ERROR = "StandInError: "
"""How the worker's words begin where a value was needed of a stand-in."""

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
class Raised:
    """What torch itself raised in the plain run, and the file names and rows that it went through. `within`: while the
    target ran, or in a walk of what it had returned; `entered`: the target had been called by then; `inside`: it came
    from torch's own code, not from a call in code that may have handed it over."""

    error: str
    within: bool
    entered: bool
    inside: bool
    places: frozenset[tuple[str, int]]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to "is it so?", and all that it rests on. `output` is what the code printed; `missing` what was not
    found to run it with; `held_back_by` what kept its writes in its own folder; `not_installed` the modules that had
    stand-ins."""

    function: str
    verdict: Kind
    reason: str
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

    @property
    def why(self) -> str:
        """The reason, as it is told behind the verdict."""
        return why(self.verdict, self.reason)


def why(verdict: str, reason: str) -> str:
    """The reason of a verdict without the verdict's own name in front."""
    return reason.removeprefix(f"{verdict}: ")


@dataclass(frozen=True, slots=True)
class Judgement:
    """The part of a verdict that the worker's answer decides."""

    verdict: Kind
    reason: str
    error: str | None = None
    tape: Tape | None = None
    output: str = ""
    notes: tuple[str, ...] = ()
    held_back_by: tuple[str, ...] = ()
    raised: Raised | None = None
    not_installed: tuple[str, ...] = ()


def judge(answer: Mapping[str, Any], concerns: Concerns = bool) -> Judgement:
    """The judgement that an answer of the worker amounts to. `concerns`: whether a finding is about the function that
    was asked for; others are told after those."""
    if answer.get("cancelled"):
        return Judgement("inconclusive", "inconclusive: cancelled")
    plain = answer.get("plain")
    if plain is None:
        return Judgement("inconclusive", f"inconclusive: {answer.get('failed', 'the worker gave no answer')}")
    recorded = answer["recorded"]
    tape = _tape(recorded)
    notes = tuple(dict.fromkeys([*plain.get("notes", ()), *recorded.get("notes", ())]))
    verdict, reason = _weigh(plain, recorded, tape, concerns)
    if verdict == "inconclusive":
        reason = f"inconclusive: {reason}"
    held = tuple(plain.get("held_back_by", ()))
    missing = tuple(dict.fromkeys(str(name) for run in (plain, recorded) for name, *_ in run.get("not_installed", ())))
    output = plain.get("output", "")
    return Judgement(verdict, reason, plain.get("error"), tape, output, notes, held, _raised(plain), missing)


def _raised(plain: Mapping[str, Any]) -> Raised | None:
    """What torch raised in the plain run, if it is about a hazard."""
    told = plain.get("raised")
    if told is None or not is_of_a_hazard(told["error"]):
        return None
    places = frozenset((str(file), int(row)) for file, row in told["places"])
    return Raised(told["error"], bool(told["within"]), bool(told["entered"]), bool(told["inside"]), places)


def _tape(recorded: Mapping[str, Any]) -> Tape | None:
    try:
        return from_plain(recorded["tape"]) if recorded.get("tape") else None
    except FormatError:
        return None


def _weigh(
    plain: Mapping[str, Any], recorded: Mapping[str, Any], tape: Tape | None, concerns: Concerns
) -> tuple[Kind, str]:
    error, raised = plain.get("error"), _raised(plain)
    if plain.get("failed"):
        return "inconclusive", plain["failed"]
    if tape is None or recorded.get("failed"):
        why = recorded.get("failed") or "the recorder gave no tape"
        if raised is not None and not recorded.get("late"):
            return "confirmed", f"torch raised, but the recorded run does not tell which write it was: {why}"
        return "inconclusive", f"the recorded run: {why}"
    found = findings(written_by_users(tape))
    if not found and (made_up := _made_up(tape)):
        return "inconclusive", f"a hazard arises only in {made_up}: nobody wrote that, the real one may keep nothing"
    loud = [one for one in found if not one.code.startswith(SILENT)]
    if raised is not None:
        sure: Kind = "confirmed" if found or raised.inside else "inconclusive"
        return sure, _told(loud or found, concerns) or _untold(recorded, error)
    if loud and _was_raised(tape, plain):
        return (
            "confirmed",
            f"{_told(loud, concerns)} (the code catches torch's exception, or leaves the backward to its caller)",
        )
    if _is_of_memory(error):
        return "inconclusive", f"it ran out of memory (--memory lets a run take more): {error}"
    if error is not None and error.startswith(STAND_IN_ERROR):
        return "inconclusive", error.removeprefix(STAND_IN_ERROR)
    if error is not None:
        return "inconclusive", f"the code fails for a reason of its own: {error}"
    if recorded.get("error"):
        return "inconclusive", f"the recorder could not follow: {recorded['error']}"
    if loud:
        return "inconclusive", f"the runs differ: torch ran through, but {_told(loud, concerns)}"
    return _without_error(found, plain, recorded, tape, concerns)


def written_by_users(tape: Tape) -> Tape:
    """The tape without what functions kept that verify made up: nobody wrote these."""
    events = tuple(one for one in tape.events if not (isinstance(one, Save) and one.inside.startswith(MADE_UP)))
    return tape if len(events) == len(tape.events) else replace(tape, events=events)


def _made_up(tape: Tape) -> str:
    """What verify made up that keeps something which is written, in words; "" if nothing does."""
    keys = {hit.save.inside for hit in (*loud_hits(tape), *silent_hits(tape))}
    return " and ".join(sorted(one for one in keys if one.startswith(MADE_UP)))


def _untold(recorded: Mapping[str, Any], error: object) -> str:
    other = recorded.get("error")
    how = f"; it ended otherwise: {other}" if other and other != error else ""
    return f"the error is one of torch's, but no write of the recorded run accounts for it{how}"


def _without_error(
    found: Iterable[Finding], plain: Mapping[str, Any], recorded: Mapping[str, Any], tape: Tape, concerns: Concerns
) -> tuple[Kind, str]:
    used = plain.get("given_tensors", ())
    silent = tuple(found)
    if silent:
        off = gradients.difference(plain.get("gradients", ()), recorded.get("gradients", ()))
        return "silent", f"{_told(silent, concerns)}; torch says nothing{f', and {off}' if off else ''}"
    if used:
        listed = ", ".join(f"`{one}`" for one in used)
        return (
            "inconclusive",
            f"it ran through, but {listed} was given tensors, and is not installed: what it does is open",
        )
    if not any(isinstance(event, Backward) for event in tape.events):
        return "not-reproduced", "it ran through, and nothing in it carried a gradient with these inputs"
    checks = sum(isinstance(event, Check) for event in tape.events)
    return "not-reproduced", f"it ran through with these inputs: {_saved(checks)} as backward expects"


def _saved(count: int) -> str:
    return "the one saved tensor was" if count == 1 else f"{count} saved tensors were"


def is_of_a_hazard(error: str | None) -> bool:
    """Whether the text of an exception of torch's is one about in-place writes and freed graphs."""
    return error is not None and any(part in error for part in MESSAGES)


def _is_of_memory(error: str | None) -> bool:
    return error is not None and any(part in error for part in ("MemoryError", "allocate memory", "out of memory"))


def _was_raised(tape: Tape, plain: Mapping[str, Any]) -> bool:
    """Whether torch raised though nothing came out, or would at the backward a caller may start."""
    refused = any(isinstance(one, Reject) or (isinstance(one, Write) and one.refused) for one in tape.events)
    assumed = any(isinstance(one, Backward) and one.assumed for one in tape.events)
    return refused or assumed or any(map(is_of_a_hazard, plain.get("caught", ())))


def _told(found: Iterable[Finding], concerns: Concerns) -> str:
    """The findings about the function that was asked for, then the others."""
    own: list[str] = []
    others: list[str] = []
    for one in found:
        (own if concerns(one) else others).append(f"line {one.span.row}: {one.message.rstrip('.')}")
    also = "also seen: " if own and others else ""
    return "; ".join([*own, *(f"{also}{one}" for one in others[:1]), *others[1:]])


def violations(tape: Tape) -> tuple[Violation, ...]:
    """All violations on a tape, each once: what wrote, what had saved, which versions."""
    found: dict[tuple[object, ...], Violation] = {}
    for one in (*_of_saves(tape), *_of_findings(tape)):
        found.setdefault((one.code, one.written, one.saved, one.op), one)
    return tuple(sorted(found.values(), key=lambda one: (one.written, one.code)))


def _of_saves(tape: Tape) -> Iterator[Violation]:
    silent = [*silent_hits(tape), *ignored_hits(tape)]
    for code_of, hits in ((_loud_code, loud_hits(tape)), (lambda _: "IP301", silent)):
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


def _loud_code(write: Write) -> str:
    return "IP101" if write.actor is not Actor.STEP or write.op == DETACH else "IP102"


def _of_findings(tape: Tape) -> Iterator[Violation]:
    """The findings that no pair of write and save tells."""
    for one in findings(tape):
        if one.code in ("IP101", "IP102", "IP301"):
            continue
        saved = next((place.span for place in one.related if place.role == "saved"), None)
        yield Violation(one.code, one.span, saved, None, None, _op_at(one), one.span)


def _op_at(finding: Finding) -> str:
    events = [one for one in finding.story if isinstance(one, (Write, Reject, Save))]
    here = [one for one in events if one.span == finding.span] or events
    return here[-1].op if here else ""
