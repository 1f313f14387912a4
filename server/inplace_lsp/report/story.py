"""The story of a hazard: the few events that lead to it, each with its sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from inplace_lsp.hazards.finding import Finding
from inplace_lsp.report.tape_words import describe_events
from inplace_lsp.report.violations import Violation, find_violations
from inplace_lsp.tape.model import Backward, Check, Span, Tape


@dataclass(frozen=True, slots=True)
class Step:
    """An event of a story. `assumed`: no visible code does it, but a caller may."""

    index: int
    span: Span
    words: str
    assumed: bool = False


def find_story(tape: Tape, finding: Finding) -> tuple[Step, ...]:
    """Return the steps to the finding's hazard; none if the tape alone does not show it."""
    found = choose_violation(tape, find_violations(tape), finding.span)
    return make_steps(tape, found) if found is not None else ()


def choose_violation(tape: Tape, found: Sequence[Violation], place: Span | None) -> Violation | None:
    """Return the violation at `place` with the fewest assumptions; None if there is none."""
    there = [violation for violation in found if is_at(tape, violation, place)]
    return min(there, key=lambda candidate: len(candidate.conditions), default=None)


def find_end(tape: Tape, place: Span | None = None) -> int:
    """Return the number of events before torch raises: up to the violation at `place`, else up to the first certain
    one."""
    found = [violation for violation in find_violations(tape) if violation.kind != "silent"]
    if place is not None:
        chosen = choose_violation(tape, found, place)
        return chosen.parts[-1] + 1 if chosen is not None else len(tape.events)
    return min(
        (violation.parts[-1] + 1 for violation in found if not violation.assumed and not violation.conditions),
        default=len(tape.events),
    )


def is_at(tape: Tape, found: Violation, place: Span | None) -> bool:
    """Return whether the violation's write, refused operation or second backward is at `place`."""
    blamed = found.writes or tuple(part for part in (found.refused, found.check) if part is not None)
    return any(tape.events[part].span == place for part in blamed)


def make_steps(tape: Tape, found: Violation) -> tuple[Step, ...]:
    """Return the events of a violation in order."""
    words = describe_events(tape.events)
    walks = {event.key for event in tape.events if isinstance(event, Backward) and event.assumed}
    steps = []
    for index in found.parts:
        event = tape.events[index]
        assumed = isinstance(event, Check) and event.backward in walks
        text = f"{found.walk}: {words[index]}" if assumed else words[index]
        steps.append(Step(index, event.span, text, assumed))
    return tuple(steps)
