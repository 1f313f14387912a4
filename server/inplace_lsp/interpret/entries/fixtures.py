"""Fixtures in which functions are judged on their own: one machine for a file, and the objects whose methods are
judged."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.dependent_modules import makes_waiting_modules
from inplace_lsp.interpret.entries.effects import Effects
from inplace_lsp.interpret.entries.inputs import find_tensor_names
from inplace_lsp.interpret.entries.mutated_state import Change, find_changes
from inplace_lsp.interpret.entries.objects import STEPS_TO_LOOK_UP, is_option, is_rate, make_object
from inplace_lsp.interpret.entries.outcome import Outcome, find_given_parameters, record_run
from inplace_lsp.interpret.entries.relevance import is_risky
from inplace_lsp.interpret.entries.unreached import Code
from inplace_lsp.interpret.interpreter import Interpreter
from inplace_lsp.interpret.machine.machine import LookedInto, Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.python.bindings import find_binding_units
from inplace_lsp.interpret.python.definitions import WRAPPED
from inplace_lsp.interpret.state.facts import RecordedFacts
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.snapshot import Snapshot
from inplace_lsp.interpret.state.spans import make_span
from inplace_lsp.interpret.state.values import Class, Frame, Function, Instance, Value
from inplace_lsp.source import ir
from inplace_lsp.source.share import find_classes
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span

INIT_STEPS = 5_000
"""Steps that making the object may take; what is missing then is unknown."""

INIT_OTHER_MODULE_STEPS, INIT_PACKAGE_STEPS = 3_000, 300
"""Statements of other modules, and of installed packages, that may be executed for it: those of the layers it is made
of. On timm 300 of other modules leave 85 functions more incomplete, of 300, and save a twentieth of the steps."""

_CUT_OFF = (OutOfBudgetError, RecursionError, Return, Break, Continue, Raised, TorchError)
"""What may end the lookup of a class, or the making of an object, before it is done."""

_IDLE: list[Machine] = []
"""Machines that are not in use: they keep the definitions of modules that earlier files imported."""


def _take_machine(start: Span) -> Machine:
    try:
        machine = _IDLE.pop()
    except IndexError:  # the first file, or one in another thread
        return Interpreter(start)
    machine.begin_file(start)
    return machine


class Runner:
    """The machine that runs the module and its functions one by one. Units that only define are executed once for the
    file, those of other modules once for all files."""

    def __init__(self, file: str, units: Sequence[Unit]) -> None:
        start = Span(file, 1, 0, 1, 0)
        self.machine = _take_machine(start)
        self.frame = Frame(file, 1)
        self.frame.find_global = self.machine.make_finder(self.frame, units)
        self._mark = self.machine.recorder.mark_tape()

    def begin_path(self, choices: Choices, steps: int, span: Span, recorded: RecordedFacts) -> None:
        """Reset everything as if nothing had been run before."""
        self.frame.forget_names()
        self.machine.begin_path(choices, steps, recorded)
        self.machine.recorder.rewind_tape(self._mark, span)


class ClassFixture:
    """A runner in which `owner`, a class of the file, is defined and has an `instance`: made once for all its methods,
    and restored before every path. `answers` are the facts that were used to make it. `making`: the outcome of its
    `__init__`, if making the object shows all that the method may do."""

    def __init__(
        self, path: tuple[str, ...], runner: Runner, effects: Effects, span: Span, recorded: RecordedFacts
    ) -> None:
        self._runner = runner
        machine = runner.machine
        runner.begin_path(Choices(), INIT_STEPS, span, recorded)
        machine.allow_other_modules(INIT_OTHER_MODULE_STEPS, INIT_PACKAGE_STEPS)
        self.owner: Class | None = None
        self.instance: Value | None = None
        self.making: Outcome | None = None
        try:
            self.owner = _find_class_in(runner.frame, path)
            if self.owner is not None:
                self.instance = make_object(machine, self.owner, "self")
                self.making = _record_making(runner, effects, self.owner, self.instance, path, span)
        except _CUT_OFF:
            pass
        machine.stack.clear()
        self._made = self.owner, self.instance
        self.executed = frozenset(machine.executed)
        self.answers = dict(recorded.answers)
        self.made_with = _find_init_parameters(self.owner) if self.owner is not None else ()
        self._path, self._has_options = path, self.owner is not None and _is_module_with_options(self.owner)
        self._mark = machine.recorder.mark_tape()
        self._unknowns = machine.unknowns.copy()
        self._looked_into = machine.looked_into | machine.called  # no code in sight makes the object
        self._evidence = machine.gradient_evidence
        self._snapshot = Snapshot([runner.frame, self.owner, self.instance, machine.modules])
        self._changes: tuple[Change, ...] | None = None
        self.read_for_changes: frozenset[LookedInto] = frozenset()

    def begin_path(
        self, choices: Choices, steps: int, span: Span, recorded: RecordedFacts, *, takes_options: bool = False
    ) -> None:
        """Restore everything as it was when the object had been made, or make another one with other options, for a
        method that `takes_options`: the forward pass."""
        choices.took_default = self._has_options and takes_options
        if choices.conditions.opens_defaults and choices.took_default:
            self._make_anew(choices, steps, span, recorded)
            return
        self.owner, self.instance = self._made
        machine = self._runner.machine
        machine.begin_path(choices, steps, recorded)
        self._snapshot.restore()
        machine.recorder.rewind_tape(self._mark, span)
        machine.called, machine.unknowns = set(), self._unknowns.copy()
        machine.looked_into = set(self._looked_into)
        machine.gradient_evidence = self._evidence

    def find_changes(self) -> tuple[Change, ...]:
        """Return what the methods of the object, and of those in it, change after it was made.

        What was read to find it out is noted in `read_for_changes`.
        """
        if self._changes is None:
            machine = self._runner.machine
            self._snapshot.restore()
            machine.looked_into = set()
            self._changes = find_changes(machine, self.instance)
            self.read_for_changes = frozenset(machine.looked_into)
        return self._changes

    def age_object(self) -> None:
        """Make the object one that has lived."""
        for change in self.find_changes():
            change.forget_value()

    def find_constructor(self, file: str) -> Code | None:
        """Return the code that makes the object with the class's options, None if it takes none."""
        owner, _ = self._made
        init = owner.members.get("__init__") if owner is not None and self._has_options else None
        if not isinstance(init, Function) or not isinstance(init.definition, ir.FunctionDef):
            return None
        rates = frozenset(parameter.name for parameter in init.definition.parameters if is_rate(parameter))
        return Code(file, ((init.frame.row, init.definition.body),), requests_only=True, rates=rates)

    def _make_anew(self, choices: Choices, steps: int, span: Span, recorded: RecordedFacts) -> None:
        """Make the object as the first part of the path, so that the path decides which options it has. If the steps
        that are left are too few for it, the path has no object and shows nothing."""
        machine = self._runner.machine
        self._runner.begin_path(choices, steps, span, recorded)
        machine.allow_other_modules(INIT_OTHER_MODULE_STEPS, INIT_PACKAGE_STEPS)
        self.owner, self.instance = None, None
        try:
            self.owner = _find_class_in(self._runner.frame, self._path)
            self.instance = make_object(machine, self.owner, "self") if self.owner is not None else None
        except _CUT_OFF:
            machine.stack.clear()
        machine.looked_into |= machine.called
        machine.called = set()


class ClassFixtures:
    """The runner of one file and its class fixtures, each made when it is first needed. Close it after the last run."""

    def __init__(self, file: str, units: Sequence[Unit]) -> None:
        self.units = tuple(units)
        self.binding = find_binding_units(self.units)
        self.runner = Runner(file, units)
        self.effects = Effects(self.runner.machine)
        self._made: dict[tuple[str, ...], ClassFixture] = {}
        self._spans: dict[str, Span] | None = None

    def release_machine(self) -> None:
        """Leave the machine to the next file."""
        _IDLE.append(self.runner.machine)

    def find_class(self, path: tuple[str, ...], span: Span, recorded: RecordedFacts) -> Class | None:
        """Return the class with that path of names, without making an object of it."""
        self.runner.begin_path(Choices(), INIT_STEPS, span, recorded)
        try:
            return _find_class_in(self.runner.frame, path)
        except _CUT_OFF:
            return None

    def find_fixture(self, path: tuple[str, ...], span: Span, recorded: RecordedFacts) -> ClassFixture:
        """Return the fixture of the class with that path of names. Its object is made at the class, whichever method is
        run first: after an edit only some of them are."""
        if path not in self._made:
            at = self._find_class_span(path) or span
            self._made[path] = ClassFixture(path, self.runner, self.effects, at, recorded)
        return self._made[path]

    def _find_class_span(self, path: tuple[str, ...]) -> Span | None:
        """Return where a class is, the first of its name."""
        if self._spans is None:
            file = self.runner.frame.file
            classes = [(unit, *found) for unit in self.units for found in find_classes(unit.statements)]
            self._spans = {
                dotted: make_span(file, unit.row, class_.place) for unit, class_, dotted in reversed(classes)
            }
        return self._spans.get(".".join(path))


def _record_making(
    runner: Runner, effects: Effects, owner: Class, made: Value, path: tuple[str, ...], span: Span
) -> Outcome | None:
    """Return the outcome of the `__init__` of a class, an object `made` by which there is; None if a run may show more:
    if it takes tensors, if what it did can be part of a hazard, if it made modules whose forward pass only this run can
    know, or if torch may refuse a write in what it has not executed. What layers that it makes do to their parts is
    judged with their own classes."""
    machine, init = runner.machine, owner.members.get("__init__")
    definition = init.definition if isinstance(init, Function) else None
    if not isinstance(init, Function) or not isinstance(definition, ir.FunctionDef):
        return None
    if id(definition) not in machine.called or machine.recorder.ledger is not None:
        return None
    given = find_given_parameters(definition, is_method=True)
    left, machine.steps = machine.steps, STEPS_TO_LOOK_UP  # looking names up is not what the constructor does
    try:
        if makes_waiting_modules(machine, made) or is_risky(machine.recorder.events):
            return None
        if _may_show_more(runner, effects, init, given, span.file):
            return None
    finally:
        machine.steps = left
    outcome = Outcome(".".join((*path, "__init__")), id(definition), span, given, cost=INIT_STEPS - left)
    record_run(outcome, machine, runner.frame)
    outcome.read |= effects.examined
    outcome.called.discard(outcome.definition)
    return outcome


def _may_show_more(runner: Runner, effects: Effects, init: Function, given: Sequence[str], file: str) -> bool:
    """Return whether a constructor may show more with other arguments than those `given` to it when it was run."""
    if not find_tensor_names(init.definition, runner.frame).isdisjoint(given):
        return True
    body = init.definition.body
    assert isinstance(body, tuple)  # of a function with a `def`
    missed = Code(file, ((0, body),)).list_unreached_statements(runner.machine.executed)
    return effects.may_be_refused(missed, init)


def _find_class_in(frame: Frame, path: tuple[str, ...]) -> Class | None:
    owner = _unwrap_class(frame.look_up(path[0]))
    for name in path[1:]:
        owner = _unwrap_class(owner.members.get(name)) if owner is not None else None
    return owner


def _unwrap_class(value: Value | None) -> Class | None:
    """Return the class that a value is, or that a decorator made it of; None if there is none."""
    if isinstance(value, (Function, Instance)):
        value = value.attributes.get(WRAPPED)
    return value if isinstance(value, Class) else None


def _is_module_with_options(owner: Class) -> bool:
    """Return whether the class is a module that is made with options."""
    init = owner.look_up("__init__") if owner.is_module() else None
    return isinstance(init, Function) and any(map(is_option, init.definition.parameters[1:]))


def _find_init_parameters(owner: Class) -> tuple[str, ...]:
    """Return the names of the arguments that construct an object of the class."""
    init = owner.look_up("__init__")
    parameters = init.definition.parameters[1:] if isinstance(init, Function) else ()
    return tuple(parameter.name for parameter in parameters)
