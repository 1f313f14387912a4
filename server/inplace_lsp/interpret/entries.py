"""What is executed: the module as a program, and each function and method as if someone called it."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from inplace_lsp.interpret.autograd import TorchError
from inplace_lsp.interpret.calls import instantiate, run_body
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
    `asked`: the module-level names it looked up.

    `incomplete` says why not everything was seen, "" if it was; `unknowns` counts what is not modelled.
    """

    function: str
    definition: int
    span: Span
    tapes: list[Tape] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    asked: set[str] = field(default_factory=set)
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


def run_program(units: Sequence[Unit], file: str, cancelled: Callable[[], None] = lambda: None) -> Outcome:
    """Execute the module from top to bottom, as `python file.py` would."""

    def run(machine: Machine, frame: Frame) -> None:
        frame.names["__name__"] = Known("__main__")
        for unit in units:
            frame.row = unit.row
            # Functions remember the row of the unit they are defined in.
            scope = Frame(file, unit.row, names=frame.names, starred=frame.starred, asked=frame.asked)
            scope.find_global = None
            machine.execute(unit.statements, scope)

    return _explore("<module>", 0, Span(file, 1, 0, 1, 0), file, (), run, cancelled)


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
    entry: Entry, units: Sequence[Unit], file: str, cancelled: Callable[[], None] = lambda: None
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
    return _explore(entry.name, id(entry.definition), entry.span(file), file, units, run, cancelled)


def _explore(
    name: str, definition: int, span: Span, file: str, units: Sequence[Unit], run: Run, cancelled: Callable[[], None]
) -> Outcome:
    outcome = Outcome(name, definition, span)
    left = ALL_STEPS
    worth = 1

    def one(choices: Choices) -> bool:
        nonlocal left, worth
        cancelled()
        machine = Interpreter(choices, span, min(STEPS, left))
        before = machine.steps
        frame = Frame(file, 1)
        if units:
            frame.find_global = _Globals(machine, frame, units)
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


class _Globals:
    """Module-level names for a function judged on its own: what binds a name is executed when it is asked for."""

    def __init__(self, machine: Machine, frame: Frame, units: Sequence[Unit]) -> None:
        self._machine = machine
        self._frame = frame
        self._binding = bindings(tuple(units))
        self._running: set[int] = set()
        for unit in self._binding.get("*", ()):
            self._execute(unit)

    def __call__(self, name: str) -> Value | None:
        for unit in reversed(self._binding.get(name, ())):
            if id(unit) not in self._running:
                self._execute(unit)
                return self._frame.names.get(name)
        return None

    def _execute(self, unit: Unit) -> None:
        machine = self._machine
        self._running.add(id(unit))
        recorder = machine.recorder
        saved = (recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack)
        recorder.grad_mode, recorder.inference_mode, machine.stack = True, False, []
        scope = Frame(
            self._frame.file, unit.row, names=self._frame.names, starred=self._frame.starred, asked=self._frame.asked
        )
        scope.find_global = self._frame.find_global or self
        try:
            machine.execute(unit.statements, scope)
        except (Return, Break, Continue, Raised, TorchError):
            pass
        finally:
            recorder.site, recorder.call, recorder.grad_mode, recorder.inference_mode, machine.stack = saved


@lru_cache(maxsize=8)
def bindings(units: tuple[Unit, ...]) -> dict[str, list[Unit]]:
    """The units that bind each module-level name, in order; "*" are star imports."""
    found: dict[str, list[Unit]] = {}
    for unit in units:
        for name in _bound(unit.statements):
            found.setdefault(name, []).append(unit)
    return found


def _bound(body: Sequence[ir.Statement]) -> Iterator[str]:
    for node in body:
        if isinstance(node, ir.FunctionDef | ir.ClassDef):
            yield node.name
        elif isinstance(node, ir.Import):
            yield from (alias or name.partition(".")[0] for name, alias in node.names)
        elif isinstance(node, ir.ImportFrom):
            yield from (alias or name for name, alias in node.names)
        elif isinstance(node, ir.Assign):
            for target in node.targets:
                yield from _targets(target)
        elif isinstance(node, ir.Annotate):
            yield from _targets(node.target)
        elif isinstance(node, ir.If | ir.Try | ir.With | ir.For | ir.While):
            if isinstance(node, ir.For):
                yield from _targets(node.target)
            yield from _bound(node.body)
            yield from _bound(getattr(node, "orelse", ()))


def _targets(target: ir.Expr) -> Iterator[str]:
    if isinstance(target, ir.Name):
        yield target.id
    elif isinstance(target, ir.Sequence):
        for item in target.items:
            yield from _targets(item)


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
