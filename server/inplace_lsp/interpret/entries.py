"""What is executed: the module as a program, and each function and method as if someone called it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from inplace_lsp.interpret.autograd import TorchError
from inplace_lsp.interpret.calls import instantiate, run_body
from inplace_lsp.interpret.facts import NO_FACTS, Answer, Asked, Facts, Question
from inplace_lsp.interpret.frames import Frame
from inplace_lsp.interpret.inputs import symbolic, tensor_names
from inplace_lsp.interpret.interpreter import Interpreter
from inplace_lsp.interpret.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.paths import Choices, explore
from inplace_lsp.interpret.relevance import PATHS, is_inert, paths_worth_taking
from inplace_lsp.interpret.statements import Break, Continue, Raised, Return
from inplace_lsp.interpret.values import Class, Function, Instance, Known, Unknown, Value
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span, Tape

STEPS = 20_000
"""Steps a path may take."""
INIT_STEPS = 3_000
"""Steps the making of the object may take whose method is judged; what it lacks then is unknown."""
ALL_STEPS = 24_000
"""Steps that all paths of an entry may take together."""


@dataclass(slots=True)
class Outcome:
    """All paths of one entry. `evidence`: something in it ties it to gradients. `called`: definitions it executed.
    `asked`: the module-level names it looked up; `answers`: the facts from outside of the file that it was told.

    `incomplete` says why not everything was seen, "" if it was; `unknowns` counts what is not modelled.
    """

    function: str
    definition: int
    span: Span
    tapes: list[Tape] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
    answers: dict[Question, Answer] = field(default_factory=dict)
    evidence: bool = False
    incomplete: str = ""
    unknowns: Tally[str] = field(default_factory=Tally)


@dataclass(frozen=True, slots=True)
class Entry:
    """A function or method to be judged on its own; `path` are the classes around it."""

    name: str
    definition: ir.FunctionDef
    unit: Unit
    path: tuple[str, ...]

    def span(self, file: str) -> Span:
        """Where the function's name stands."""
        place, shift = self.definition.place, self.unit.row - 1
        return Span(file, place[0] + shift, place[1], place[2] + shift, place[3])


Run = Callable[[Machine, Frame], None]


def run_program(
    units: Sequence[Unit], file: str, cancelled: Callable[[], None] = lambda: None, facts: Facts = NO_FACTS
) -> Outcome:
    """Execute the module from top to bottom, as `python file.py` would."""

    def run(machine: Machine, frame: Frame) -> None:
        frame.names["__name__"] = Known("__main__")
        for unit in units:
            frame.row = unit.row
            # Functions remember the row of the unit they are defined in.
            scope = Frame(file, unit.row, names=frame.names, starred=frame.starred, asked=frame.asked)
            scope.find_global = None
            machine.execute(unit.statements, scope)

    return _explore("<module>", 0, Span(file, 1, 0, 1, 0), file, (), run, cancelled, facts)


def entries(units: Sequence[Unit]) -> Iterator[Entry]:
    """Every function and method of the module, those inside `if` and `try` included."""
    for unit in units:
        for statement in _definitions(unit.statements):
            yield from _entries(statement, unit, ())


def _entries(node: ir.FunctionDef | ir.ClassDef, unit: Unit, path: tuple[str, ...]) -> Iterator[Entry]:
    if isinstance(node, ir.FunctionDef):
        yield Entry(".".join([*path, node.name]), node, unit, path)
    else:
        for member in _definitions(node.body):
            yield from _entries(member, unit, (*path, node.name))


def _definitions(body: Sequence[ir.Statement]) -> Iterator[ir.FunctionDef | ir.ClassDef]:
    for statement in body:
        if isinstance(statement, ir.FunctionDef | ir.ClassDef):
            yield statement
        elif isinstance(statement, ir.If | ir.Try | ir.With):
            yield from _definitions(statement.body)
            yield from _definitions(getattr(statement, "orelse", ()))


def run_function(
    entry: Entry,
    units: Sequence[Unit],
    file: str,
    cancelled: Callable[[], None] = lambda: None,
    facts: Facts = NO_FACTS,
) -> Outcome:
    """Execute one function with inputs of which nothing is assumed but what its text says."""

    def run(machine: Machine, frame: Frame) -> None:
        owner = _find_owner(frame, entry)
        function = _find_function(machine, frame, entry, owner)
        if function is None:
            return
        _call(machine, function, entry, owner)

    if is_inert(entry.definition):
        return Outcome(entry.name, id(entry.definition), entry.span(file))
    return _explore(entry.name, id(entry.definition), entry.span(file), file, units, run, cancelled, facts)


def _explore(
    name: str,
    definition: int,
    span: Span,
    file: str,
    units: Sequence[Unit],
    run: Run,
    cancelled: Callable[[], None],
    facts: Facts,
) -> Outcome:
    asked = Asked(facts)
    outcome = Outcome(name, definition, span, answers=asked.answers)
    left = ALL_STEPS
    worth = 1

    def one(choices: Choices) -> bool:
        nonlocal left, worth
        cancelled()
        machine = Interpreter(choices, span, min(STEPS, left), asked)
        before = machine.steps
        frame = Frame(file, 1)
        if units:
            frame.find_global = machine.globals_of(frame, units)
        try:
            run(machine, frame)
        except (Return, Break, Continue, Raised, TorchError):
            pass
        except OutOfBudgetError:
            outcome.incomplete = "too long to follow every path"
        except RecursionError:
            outcome.incomplete = "nested too deeply"
        left -= before - machine.steps
        outcome.tapes.append(Tape(name, tuple(machine.recorder.events)))
        outcome.called |= machine.called
        outcome.asked |= frame.asked
        outcome.evidence = outcome.evidence or machine.gradient_evidence
        outcome.unknowns.update(machine.unknowns)
        worth = max(worth, paths_worth_taking(machine)) if worth < PATHS else worth
        return left > 0 and len(outcome.tapes) < worth

    if not explore(one, PATHS) and not outcome.incomplete and worth > 1:
        outcome.incomplete = "too many paths"
    outcome.called.discard(definition)
    return outcome


def _find_owner(frame: Frame, entry: Entry) -> Class | None:
    if not entry.path:
        return None
    owner = frame.lookup(entry.path[0])
    for name in entry.path[1:]:
        owner = owner.members.get(name) if isinstance(owner, Class) else None
    return owner if isinstance(owner, Class) else None


def _find_function(machine: Machine, frame: Frame, entry: Entry, owner: Class | None) -> Function | None:
    if owner is not None:
        for name in (entry.definition.name, f"{entry.definition.name}.setter"):
            member = owner.members.get(name)
            if isinstance(member, Function) and member.definition is entry.definition:
                return member
        return None
    value = frame.lookup(entry.definition.name)
    return value if isinstance(value, Function) and value.definition is entry.definition else None


def _call(machine: Machine, function: Function, entry: Entry, owner: Class | None) -> None:
    definition = entry.definition
    outer = function.frame
    frame = Frame(outer.file, outer.row, function.name, module=outer.globals(), owner=owner)
    tensors = tensor_names(definition, frame)
    parameters = list(definition.parameters)
    if owner is not None and function.kind != "staticmethod" and parameters:
        frame.self = owner if function.kind == "classmethod" else _instance(machine, owner)
        frame.names[parameters.pop(0).name] = frame.self
        if owner.is_module() and definition.name == "forward":
            machine.gradient_evidence = True
            tensors |= {p.name for p in parameters}
    for parameter in parameters:
        frame.names[parameter.name] = symbolic(machine, function, parameter, tensors)
    machine.called.add(id(definition))
    run_body(machine, function, frame, definition)


def _instance(machine: Machine, owner: Class) -> Value:
    """An object of the class, made with unknown arguments where its `__init__` has no defaults."""
    init = owner.lookup("__init__")
    arguments: list[Value] = []
    if isinstance(init, Function):
        for parameter in init.definition.parameters[1:]:
            if parameter.kind in ("normal", "positional") and parameter.default is None:
                arguments.append(symbolic(machine, init, parameter, frozenset()))
    choices, machine.choices = machine.choices, Choices()  # one object will do: paths are for the function judged
    steps, machine.steps = machine.steps, INIT_STEPS
    made = Instance(owner, name="self")
    try:
        built = instantiate(machine, owner, arguments, {}, owner.name, made)
    except (TorchError, Raised, OutOfBudgetError):
        built = made
    finally:
        machine.choices, machine.steps = choices, steps - (INIT_STEPS - max(machine.steps, 0))
        machine.stack.clear()
    return made if isinstance(built, Unknown) else built
