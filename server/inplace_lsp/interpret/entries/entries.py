"""What is executed: the module as a program, and each function and method as if someone called it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.budget import STEPS, STEPS_OF_PROGRAM, Budget
from inplace_lsp.interpret.entries.coverage import Coverage
from inplace_lsp.interpret.entries.inputs import container_names, tensor_names
from inplace_lsp.interpret.entries.objects import make_input
from inplace_lsp.interpret.entries.relevance import PATHS, decisions_worth_flipping, is_inert, paths_worth_taking
from inplace_lsp.interpret.entries.unreached import Code
from inplace_lsp.interpret.entries.worlds import Worlds
from inplace_lsp.interpret.machine import graphs
from inplace_lsp.interpret.machine.machine import ABROAD_OF_PROGRAM, LookedInto, Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python.functions import call_user, run_body
from inplace_lsp.interpret.python.inherited_parts import recognise_given
from inplace_lsp.interpret.state.facts import Answer, Asked, Facts, Question
from inplace_lsp.interpret.state.frames import Frame, make_span
from inplace_lsp.interpret.state.paths import Choices, Way, explore
from inplace_lsp.interpret.state.values import Bound, Callee, Class, Function, Instance, Known, Unknown, Value
from inplace_lsp.interpret.torch_api import custom_function
from inplace_lsp.interpret.torch_api.optimizers import is_optimizer
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.conditions import without
from inplace_lsp.tape.model import Actor, Backward, Create, Event, Reject, SetData, Span, Tape, Write


class Reached(NamedTuple):
    """A place that was come to, and the outermost call through which, None for none."""

    place: Span
    call: Span | None


@dataclass(slots=True)
class Outcome:
    """All paths of one entry. `evidence`: something in it ties it to gradients. `called`: definitions it executed;
    `read`: those, and the ones that were only looked into. `asked`: the module-level names it looked up; `answers`: the
    facts from outside of the file that it was told. `reached`: where it wrote or walked what it knows. `parameters` and
    `made_with`: see Tape.

    `incomplete` says why not everything was seen, "" if it was; `unreached`: the statements that may write or walk back
    and were not executed because of that; `unknowns` counts what is not modelled. `by_framework`:
    the entry is a class, called in the order of the framework that it is written for; `driven` are the classes whose
    objects it gave to a framework itself. `share`: see Budget; 0 for an entry that had nothing to execute.
    `steps`: how many it took.
    """

    function: str
    definition: int
    span: Span
    parameters: tuple[str, ...] = ()
    made_with: tuple[str, ...] = ()
    tapes: list[Tape] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    read: set[LookedInto] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    answers: dict[Question, Answer] = field(default_factory=dict)
    reached: set[Reached] = field(default_factory=set)
    evidence: bool = False
    incomplete: str = ""
    unreached: tuple[Span, ...] = ()
    unknowns: Tally[Callee] = field(default_factory=Tally)
    by_framework: bool = False
    driven: set[str] = field(default_factory=set)
    share: int = 0
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Entry:
    """A function or method to be judged on its own; `path` are the classes around it."""

    name: str
    definition: ir.FunctionDef
    unit: Unit
    path: tuple[str, ...]

    def span(self, file: str) -> Span:
        """Where the function's name stands."""
        return make_span(file, self.unit.row, self.definition.place)


def run_program(
    units: Sequence[Unit], file: str, cancelled: Callable[[], None], facts: Facts, worlds: Worlds
) -> Outcome:
    """Execute the module from top to bottom, as `python file.py` would."""
    span = Span(file, 1, 0, 1, 0)
    asked = Asked(facts)
    stage = worlds.stage

    def start(choices: Choices, steps: int) -> Start:
        stage.restart(choices, steps, span, asked)
        machine, frame = stage.machine, Frame(file, 1)
        machine.abroad = ABROAD_OF_PROGRAM
        machine.decides_abroad = True

        def run() -> None:
            frame.names["__name__"] = Known("__main__")
            for unit in units:
                # Functions remember the row of the unit they are defined in.
                scope = Frame(file, unit.row, names=frame.names, starred=frame.starred, asked=frame.asked)
                machine.execute(unit.statements, scope)

        return machine, frame, run

    code = Code.of_units(file, units)
    return run_paths(
        Outcome("<module>", 0, span, answers=asked.answers), code, start, cancelled, Budget(STEPS_OF_PROGRAM)
    )


def entries(units: Sequence[Unit]) -> Iterator[Entry]:
    """Every function and method of the module, those inside `if` and `try` included."""
    for unit in units:
        for statement in definitions(unit.statements):
            yield from _entries(statement, unit, ())


def _entries(node: ir.FunctionDef | ir.ClassDef, unit: Unit, path: tuple[str, ...]) -> Iterator[Entry]:
    if isinstance(node, ir.FunctionDef):
        yield Entry(".".join([*path, node.name]), node, unit, path)
    else:
        for member in definitions(node.body):
            yield from _entries(member, unit, (*path, node.name))


def definitions(body: Sequence[ir.Statement]) -> Iterator[ir.FunctionDef | ir.ClassDef]:
    """The functions and classes that a body defines, those inside `if` and `try` included."""
    for statement in body:
        if isinstance(statement, (ir.FunctionDef, ir.ClassDef)):
            yield statement
        elif isinstance(statement, (ir.If, ir.Try, ir.With)):
            yield from definitions(statement.body)
            yield from definitions(getattr(statement, "orelse", ()))


def run_function(
    entry: Entry, file: str, cancelled: Callable[[], None], facts: Facts, worlds: Worlds, share: int
) -> Outcome:
    """Execute one function with inputs of which nothing is assumed but what its text says. `share`: see Budget."""
    span = entry.span(file)
    if is_inert(entry.definition) and not entry.definition.decorators:
        return Outcome(entry.name, id(entry.definition), span)
    asked = Asked(facts)
    world = worlds.of(entry.path, span, asked) if entry.path else None
    if world is not None:
        asked.answers |= world.answers
    stage = worlds.stage
    machine, frame = stage.machine, stage.frame
    tensors: list[frozenset[str]] = []

    def start(choices: Choices, steps: int) -> Start:
        if world is not None:
            world.restart(choices, steps, span, asked)
        else:
            stage.restart(choices, steps, span, asked)

        def run() -> None:
            owner = world.owner if world is not None else None
            named = _find_function(frame, entry, owner)
            function = _undecorated(named, entry.definition) if named is not None else None
            if named is not None and function is not None:
                if not tensors:
                    tensors.append(tensor_names(entry.definition, frame))
                instance = world.instance if world is not None else None
                result = _call(machine, function, tensors[0], owner, instance, None if function is named else named)
                drive(machine, result)

        return machine, frame, run

    given = _given(entry)
    made_with = tuple(name for name in world.made_with if name not in given) if world is not None else ()
    own = Outcome(entry.name, id(entry.definition), span, given, made_with, answers=asked.answers)
    return run_paths(
        own, Code(file, ((entry.unit.row, entry.definition.body),)), start, cancelled, Budget(STEPS, share)
    )


def _given(entry: Entry) -> tuple[str, ...]:
    """The names of the parameters that a caller gives: not the object a method belongs to."""
    names = tuple(parameter.name for parameter in entry.definition.parameters)
    return tuple(name for at, name in enumerate(names) if at or not entry.path or name not in ("self", "cls"))


Start = tuple[Machine, Frame, Callable[[], None]]


def run_paths(
    outcome: Outcome,
    code: Code,
    start: Callable[[Choices, int], Start],
    cancelled: Callable[[], None],
    budget: Budget,
) -> Outcome:
    """Run what `start` makes ready, which executes `code`, along its paths."""
    outcome.share = budget.share
    worth = 1
    coverage = Coverage()

    def one(choices: Choices) -> int:
        nonlocal worth
        cancelled()
        is_guided = bool(choices.guide)
        machine, frame, run = start(choices, budget.for_path(is_guided))
        began = len(machine.recorder.events)
        try:
            run()
        except (Return, Break, Continue, Raised, TorchError):
            pass
        except OutOfBudgetError:
            outcome.incomplete = "too long to follow every path"
        except RecursionError:
            outcome.incomplete = "nested too deeply"
        budget.spend(is_guided, machine.steps)
        events = without(machine.recorder.events, machine.without_grad())
        trained = frozenset(machine.recorder.trained)
        outcome.tapes.append(
            Tape(outcome.function, events, None, (), outcome.parameters, trained, made_with=outcome.made_with)
        )
        outcome.called |= machine.called
        outcome.driven |= machine.driven
        outcome.reached.update(_reached(events))
        outcome.evidence = outcome.evidence or machine.gradient_evidence
        outcome.unknowns.update(machine.unknowns)
        coverage.note(machine)
        choices.count_worth_flipping = decisions_worth_flipping(machine, coverage)
        worth = max(worth, paths_worth_taking(machine, began)) if worth < PATHS else worth
        outcome.read |= machine.called | machine.looked_into
        outcome.asked |= frame.asked
        return 0 if budget.is_spent() else worth

    def find_way() -> Way | None:
        return coverage.find_way() if budget.may_cover() else None

    if not explore(one, find_way) and not outcome.incomplete:
        outcome.incomplete = "too many paths"
    if outcome.incomplete:
        outcome.unreached = code.unreached(coverage.executed)
    outcome.called.discard(outcome.definition)
    outcome.steps = budget.spent
    return outcome


def _reached(events: Sequence[Event]) -> Iterator[Reached]:
    """Where tensors of which something is known were written, or a graph was walked."""
    unknown = {one.tensor.id for one in events if type(one) is Create and one.op == "unknown"}
    for one in events:
        if isinstance(one, (Write, Reject, SetData)):
            is_known = one.tensor.id not in unknown and one.tensor.base not in unknown
        else:
            is_known = isinstance(one, Backward)
        if is_known:
            call = one.call if isinstance(one, Write) else None
            yield Reached(one.span, call)
            if isinstance(one, Write) and one.actor is Actor.CODE and call is not None:
                yield Reached(call, None)


def _find_function(frame: Frame, entry: Entry, owner: Class | None) -> Function | None:
    """What the entry's name is bound to: the function, or what its decorators made of it."""
    name = entry.definition.name
    found = [owner.members.get(n) for n in (name, f"{name}.setter")] if owner is not None else [frame.lookup(name)]
    return next((f for f in found if isinstance(f, Function) and _undecorated(f, entry.definition)), None)


def _undecorated(function: Function, definition: ir.FunctionDef) -> Function | None:
    """The function with that definition: `function`, or the one that it, a decorator's, closes over."""
    if function.definition is definition:
        return function
    scope: Frame | None = function.frame
    while scope is not None and scope.module is not None:
        for value in scope.names.values():
            if isinstance(value, Function) and value.definition is definition:
                return value
        scope = scope.parent
    return None


def _call(
    machine: Machine,
    function: Function,
    tensors: frozenset[str],
    owner: Class | None,
    instance: Value | None,
    decorated: Function | None,
) -> Value:
    """Execute `function` with inputs made up for it, through what its decorators made of it; `tensors` are the names
    its body uses as tensors."""
    if owner is not None and function.name == "forward" and custom_function.is_custom(owner):
        return _apply(machine, function, tensors, owner)
    definition, outer = function.definition, function.frame
    frame = Frame(outer.file, outer.row, function.name, module=outer.globals(), owner=owner)
    parameters = list(definition.parameters)
    if owner is not None and function.kind != "staticmethod" and parameters:
        frame.self = owner if function.kind == "classmethod" or instance is None else instance
        frame.names[parameters.pop(0).name] = frame.self
        if owner.is_module() and function.name == "forward":
            machine.gradient_evidence = True
            tensors |= {p.name for p in parameters} - container_names(definition)
    for parameter in parameters:
        value = make_input(machine, function, parameter, tensors)
        if isinstance(value, Unknown):
            value.argument = True
            value.graphless = value.graphless or (owner is not None and _is_optimizer(owner))
        frame.names[parameter.name] = value
    recognise_given(machine, definition, frame.names)
    if decorated is not None:
        first = [frame.self] if frame.self is not None else []
        given = [frame.names[p.name] for p in parameters if p.kind in ("normal", "positional")]
        named = {p.name: frame.names[p.name] for p in parameters if p.kind == "keyword"}
        return call_user(machine, decorated, [*first, *given], named)
    machine.called.add(id(definition))
    return run_body(machine, function, frame, definition)


def _is_optimizer(owner: Class) -> bool:
    """Whether the class is an optimizer's: what its methods hand to each other are gradients, states and numbers."""
    return any(is_optimizer(name) for cls in owner.lineage() for name in cls.library)


def _apply(machine: Machine, function: Function, tensors: frozenset[str], owner: Class) -> Value:
    """The forward of a custom Function is run as `apply` runs it, and what it gives is walked by some caller."""
    parameters = list(function.definition.parameters)
    if not isinstance(owner.lookup("setup_context"), Function):
        parameters = parameters[1:]
    machine.gradient_evidence = True
    arguments = [make_input(machine, function, parameter, tensors) for parameter in parameters]
    result = custom_function.apply(machine, owner, arguments, owner.name)
    graphs.judge(machine, result)
    return result


ENTRY = "__entry__"
"""The method of a model's class that calls an object of it as the framework does."""


def drive(machine: Machine, value: Value | None) -> None:
    """Call the methods of an object in the order of its framework, if it is written for one."""
    entry = value.cls.lookup(ENTRY) if isinstance(value, Instance) else None
    if isinstance(value, Instance) and isinstance(entry, Function):
        machine.gradient_evidence = True
        machine.call(Bound(value, entry), [], {}, ENTRY)
