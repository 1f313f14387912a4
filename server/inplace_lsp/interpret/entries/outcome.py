"""What the runs of an entry record: its outcome."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import eq
from typing import NamedTuple

from inplace_lsp.interpret.entries.budget import COST_OF_EVENT, COST_OF_RUN
from inplace_lsp.interpret.machine.machine import LookedInto, Machine
from inplace_lsp.interpret.state.facts import Answer, Question
from inplace_lsp.interpret.state.values import Callee, Frame
from inplace_lsp.source import ir
from inplace_lsp.tape.conditions import without_inputs
from inplace_lsp.tape.model import Actor, Backward, Create, Event, Reject, SetData, Span, Tape, Write


class Reached(NamedTuple):
    """A place that execution reached, and the outermost call through which, None for none."""

    place: Span
    call: Span | None


@dataclass(slots=True)
class Outcome:
    """The result of all paths of one entry. `parameters` and `made_with` are those of its tapes."""

    function: str
    definition: int
    span: Span
    parameters: tuple[str, ...] = ()
    made_with: tuple[str, ...] = ()
    tapes: list[Tape] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    """The definitions that it executed."""
    read: set[LookedInto] = field(default_factory=set)
    """The definitions that it executed or only inspected."""
    asked: set[str] = field(default_factory=set)
    """The module-level names that it looked up."""
    answers: dict[Question, Answer] = field(default_factory=dict)
    """The facts from outside the file that it used."""
    reached: set[Reached] = field(default_factory=set)
    """The places where it wrote or walked known tensors."""
    evidence: bool = False
    """Whether something in it shows that it has to do with gradients."""
    incomplete: str = ""
    """Why it was not executed completely, "" if it was."""
    failed: bool = False
    """Whether an internal error is the reason for that."""
    unreached: tuple[Span, ...] = ()
    """The statements that may write or run backward and were not executed for that reason."""
    unknowns: Tally[Callee] = field(default_factory=Tally)
    """The unknown callees, each with its number of calls."""
    by_framework: bool = False
    """Whether the entry is a class, whose methods run in the order of its framework."""
    driven: set[str] = field(default_factory=set)
    """The classes whose objects it passed to a framework itself."""
    share: int = 0
    """Its share of the budget; 0 if it had nothing to execute."""
    steps: int = 0
    """Number of steps of all runs."""
    cost: int = 0
    """What all runs cost, in steps: those they took, and what goes with a run and with its events."""
    runs: int = 0
    delegates: frozenset[int] = frozenset()


def record_run(outcome: Outcome, machine: Machine, frame: Frame) -> None:
    """Add the tape of a run, and what it found out, to the outcome; `frame` is where the run looked up names."""
    outcome.runs += 1
    recorder = machine.recorder
    outcome.cost += COST_OF_RUN + COST_OF_EVENT * len(recorder.events)
    events = without_inputs(recorder.events, machine.find_inputs_without_grad())
    trained, guards, scopes = frozenset(recorder.trained), recorder.guards.list_all(), recorder.scopes.list_all()
    tape = Tape(
        outcome.function, events, None, (), outcome.parameters, trained, outcome.made_with, guards,
        machine.path.assumed, tuple(recorder.refusals), scopes,
    )  # fmt: skip
    same = next((at for at, known in enumerate(outcome.tapes) if _is_same(tape, known)), None)
    if same is None:
        outcome.tapes.append(tape)
    elif (guards, scopes) != (outcome.tapes[same].guards, outcome.tapes[same].scopes):
        outcome.tapes[same] = outcome.tapes[same].keep_common(guards, scopes)
    outcome.called |= machine.called
    outcome.read |= machine.called | machine.looked_into
    outcome.asked |= frame.asked
    outcome.driven |= machine.driven
    if not machine.path.assumed:  # nobody in sight does what it did
        outcome.reached.update(_find_reached_places(events))
    outcome.evidence = outcome.evidence or machine.gradient_evidence
    outcome.unknowns.update(machine.unknowns)


def _is_same(tape: Tape, known: Tape) -> bool:
    """Return whether two runs recorded the same. Most runs differ near the end, so compare from there."""
    return (
        len(tape.events) == len(known.events)
        and all(map(eq, reversed(tape.events), reversed(known.events)))
        and tape.trained == known.trained
        and tape.refusals == known.refusals
    )


_REACHING = frozenset((Backward, Write, Reject, SetData))


def _find_reached_places(events: Sequence[Event]) -> Iterator[Reached]:
    """Yield where known tensors were written, or a graph was walked."""
    unknown = {event.tensor.id for event in events if type(event) is Create and event.op == "unknown"}
    for event in events:
        if type(event) not in _REACHING:  # nearly all
            continue
        if isinstance(event, Backward):
            yield Reached(event.span, None)
        elif isinstance(event, (Write, Reject, SetData)) and unknown.isdisjoint((event.tensor.id, event.tensor.base)):
            call = event.call if isinstance(event, Write) else None
            yield Reached(event.span, call)
            if isinstance(event, Write) and event.actor is Actor.CODE and call is not None:
                yield Reached(call, None)


def find_given_parameters(definition: ir.FunctionDef | ir.Lambda, *, is_method: bool) -> tuple[str, ...]:
    """Return the names of the parameters that a caller gives, without the object of a method."""
    names = tuple(parameter.name for parameter in definition.parameters)
    return tuple(name for at, name in enumerate(names) if at or not is_method or name not in ("self", "cls"))
