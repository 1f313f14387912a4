"""Where functions are judged on their own: one machine for a file, and the objects whose methods are judged."""

from __future__ import annotations

from collections.abc import Sequence

from inplace_lsp.interpret.autograd.recorder import TorchError
from inplace_lsp.interpret.entries.objects import make_object
from inplace_lsp.interpret.interpreter import Interpreter
from inplace_lsp.interpret.machine.machine import Machine, OutOfBudgetError
from inplace_lsp.interpret.machine.signals import Break, Continue, Raised, Return
from inplace_lsp.interpret.state.facts import Asked
from inplace_lsp.interpret.state.frames import Frame
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.snapshot import Snapshot
from inplace_lsp.interpret.state.values import Class, Function, Value
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span

INIT_STEPS = 3_000
"""Steps the making of the object may take; what it lacks then is unknown."""

INIT_ABROAD = 300
"""Statements of other files that may be executed for it."""


_IDLE: list[Machine] = []
"""Machines that nobody uses now: they know what the modules define that the files before have imported."""


def _machine(start: Span) -> Machine:
    try:
        machine = _IDLE.pop()
    except IndexError:  # the first file, or one in another thread
        return Interpreter(start)
    machine.begin(start)
    return machine


class Stage:
    """The machine on which the module and its functions are run one by one. What only defines is executed once for all,
    in other modules once for all files."""

    def __init__(self, file: str, units: Sequence[Unit]) -> None:
        start = Span(file, 1, 0, 1, 0)
        self.machine = _machine(start)
        self.frame = Frame(file, 1)
        self.frame.find_global = self.machine.globals_of(self.frame, units)
        self._mark = self.machine.recorder.mark()

    def restart(self, choices: Choices, steps: int, span: Span, asked: Asked) -> None:
        """Everything as if nothing had been run before."""
        self.frame.empty()
        self.machine.restart(choices, steps, asked)
        self.machine.recorder.rewind(self._mark, span)


class World:
    """A stage on which `owner`, a class of the file, is defined and has an `instance`: made once for all its methods,
    and put back before every path. `answers` are the facts that making it took."""

    def __init__(self, path: tuple[str, ...], stage: Stage, span: Span, asked: Asked) -> None:
        self._stage = stage
        machine = stage.machine
        stage.restart(Choices(), INIT_STEPS, span, asked)
        machine.abroad = INIT_ABROAD
        self.owner: Class | None = None
        self.instance: Value | None = None
        try:
            self.owner = _find(stage.frame, path)
            self.instance = make_object(machine, self.owner, "self") if self.owner is not None else None
        except (OutOfBudgetError, RecursionError, Return, Break, Continue, Raised, TorchError):
            pass
        machine.stack.clear()
        self.answers = dict(asked.answers)
        self.made_with = _made_with(self.owner) if self.owner is not None else ()
        self._mark = machine.recorder.mark()
        self._unknowns = machine.unknowns.copy()
        self._looked_into = machine.looked_into | machine.called  # nobody in sight calls what makes the object
        self._evidence = machine.gradient_evidence
        self._snapshot = Snapshot([stage.frame, self.owner, self.instance, machine.modules])

    def restart(self, choices: Choices, steps: int, span: Span, asked: Asked) -> None:
        """Everything as it was when the object had been made."""
        machine = self._stage.machine
        machine.restart(choices, steps, asked)
        self._snapshot.restore()
        machine.recorder.rewind(self._mark, span)
        machine.called, machine.unknowns = set(), self._unknowns.copy()
        machine.looked_into = set(self._looked_into)
        machine.gradient_evidence = self._evidence


class Worlds:
    """The stage of one file, and its worlds, each made when it is first needed. To be closed after the last run."""

    def __init__(self, file: str, units: Sequence[Unit]) -> None:
        self.stage = Stage(file, units)
        self._made: dict[tuple[str, ...], World] = {}

    def close(self) -> None:
        """Leave the machine to the next file."""
        _IDLE.append(self.stage.machine)

    def find_class(self, path: tuple[str, ...], span: Span, asked: Asked) -> Class | None:
        """The class with that path of names, of which no object is made."""
        self.stage.restart(Choices(), INIT_STEPS, span, asked)
        try:
            return _find(self.stage.frame, path)
        except (OutOfBudgetError, RecursionError, Return, Break, Continue, Raised, TorchError):
            return None

    def of(self, path: tuple[str, ...], span: Span, asked: Asked) -> World:
        """The world of the class with that path of names."""
        if path not in self._made:
            self._made[path] = World(path, self.stage, span, asked)
        return self._made[path]


def _find(frame: Frame, path: tuple[str, ...]) -> Class | None:
    owner = frame.lookup(path[0])
    for name in path[1:]:
        owner = owner.members.get(name) if isinstance(owner, Class) else None
    return owner if isinstance(owner, Class) else None


def _made_with(owner: Class) -> tuple[str, ...]:
    """The names of what an object of the class is given when it is made."""
    init = owner.lookup("__init__")
    parameters = init.definition.parameters[1:] if isinstance(init, Function) else ()
    return tuple(parameter.name for parameter in parameters)
