"""The state of one run along one path, and the interface between the parts of the interpreter."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter as Tally
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from itertools import count, islice
from operator import add
from typing import NamedTuple

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.autograd.recorder import Recorder
from inplace_lsp.interpret.machine.decisions import Decisions
from inplace_lsp.interpret.state.class_facts import ClassFact, Found, Read
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts, ModuleText
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.reaching_decisions import ReachingDecisions
from inplace_lsp.interpret.state.values import (
    Callee,
    Class,
    Finder,
    Frame,
    Instance,
    Items,
    Module,
    Optimizer,
    Suspended,
    Tensor,
    Unknown,
    Value,
    is_constant,
)
from inplace_lsp.interpret.state.values import Container as ModuleContainer
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.models import find_models
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span
from inplace_lsp.tape.names import ELEMENT

OTHER_MODULE_STEPS, OTHER_MODULE_STEPS_OF_NETWORKS, OTHER_MODULE_STEPS_OF_PROGRAM = 100, 3_000, 12_000
"""Statements of other modules that one run may execute, of a function, of one that runs networks, or of the program;
after that, calls there are unknown. As many of installed packages, but for those that run networks: their code must not
use up what is for the project's own. 1,000 for all functions of timm would take 55 % more steps, 3,000 for those that
run networks take 2 %."""

PACKAGE_STEPS = 100
"""Statements of installed packages that a function which runs networks may execute."""

SCOPES = 256
"""The number of other modules whose definitions are kept from one file to the next."""


_MAY_BE_TRAINED = frozenset((Items, DictValue, Module, ModuleContainer, Instance, Unknown))
"""Kinds of values that may hold the parameters of an optimizer."""

_OF_MODULES = frozenset((Module, ModuleContainer, Optimizer))
"""Kinds of values that make a call of an unknown library function a gap."""

LookedInto = int | ClassFact
"""The id of a function's definition, all of whose text matters, or a reading from a class."""


class Steps(NamedTuple):
    """Statements that were executed: all, and among them those of other modules of the project and of packages."""

    all: int
    other_modules: int
    library: int


NOTHING_DONE: Sequence[int] = (0,) * 11
"""The counts of `Machine.count_effects` when nothing was done."""


MOST_HELD = 32
"""The number of values in containers that a call is given on which its result is taken to depend."""

DEEP = 3
"""The number of levels of lists in lists that are looked into for them."""


class OutOfBudgetError(Exception):
    """The run took more steps than allowed."""


class Untaken(NamedTuple):
    """Code that a run skipped."""

    code: Sequence[ir.Statement] | ir.Expr
    frame: Frame
    decisions: int
    """Number of decisions that the run had made before."""
    because_of: tuple[int, ...]
    """Indices of the decisions of which another one would have executed the code."""
    under: tuple[int, ...] = ()
    """Indices of the decisions that led to the place where the code was skipped."""
    follows: bool = False
    """Whether the code is everything after a statement that left the block."""

    def without_earlier(self, first: int) -> Untaken:
        """Return the same without the decisions before the one numbered `first`, which other paths need not share."""
        because_of, under = (tuple(at for at in indices if at >= first) for indices in (self.because_of, self.under))
        return self._replace(because_of=because_of, under=under)

    def shift_decisions(self, by: int) -> Untaken:
        """Return the same, skipped `by` decisions later."""
        because_of, under = (tuple(at + by for at in indices) for indices in (self.because_of, self.under))
        return self._replace(decisions=self.decisions + by, because_of=because_of, under=under)


class ModulesInSight(NamedTuple):
    """The project's modules that a run can see from a `file`, by what `facts` say, once it has `opened` some."""

    file: str
    facts: Facts
    opened: Sequence[str]
    modules: Sequence[ModuleText]


class Machine(Decisions):
    """One run. The parts (`expressions`, `statements`, `calls`, ...) are functions that take it."""

    recorder: Recorder
    """Writes the tape."""
    facts: Facts
    """What is known besides the text: other modules, types, the release of torch."""
    steps: int
    """The statements that this path may still execute."""
    stack: list[Frame]
    """The frames of the active calls, outermost first."""
    modules: dict[str, Frame]
    """The scopes of the modules that this path has opened, by file."""
    scopes: dict[ModuleText, Frame]
    """The scopes of modules by text, kept for the next file."""
    models: dict[str, ModuleText]
    """The project's own model files, by the module that each describes."""
    described: Container[str]
    """The modules that a model file describes."""
    called: set[int]
    """The functions that were called, by the id of their definition."""
    driven: set[str]
    """The names of the classes that frameworks were handed objects of."""
    looked_into: set[LookedInto]
    """The definitions whose text was read without executing it, and the facts read from the text of classes."""
    unknowns: Tally[Callee]
    """The calls of what is neither modelled nor in sight, counted."""
    executed: set[int]
    """The statements and expressions that were executed and that a decision may skip, by id."""
    untaken: list[Untaken]
    """The code that decisions made this path skip."""
    settled: ReachingDecisions
    """The decisions on which the values of variables depend."""
    tables: dict[int, Value]
    """The tables of modules that their importers fill, by id."""
    missed: set[tuple[int, str]]
    """The entries that were looked up in such a table and were not there: each is searched once."""
    searched: set[tuple[str, str]]
    """The names that a module was searched for in vain, or is searched for right now."""
    module_hooks: dict[str, Value]
    """The global hooks of modules, by kind."""
    cached_weights: dict[int, Value]
    """The parametrized weights inside `parametrize.cached()`."""
    usual_device: Value
    """The device on which tensors are made that are not moved."""
    runs_program: bool
    """Whether the entry is the program: then decisions in other files of the project belong to this path, too."""
    decorating: int
    """How many decorators are being called, one inside another."""
    caching: int
    """How many `parametrize.cached()` are open."""
    gradient_evidence: bool
    """Whether something in the run shows that gradients are wanted."""
    asks_for_gradients: bool
    """Whether it wants gradients of tensors that it makes, besides the weights of its modules."""
    loop_pass: int
    """The pass of the innermost loop that stands for more passes than are executed; 0 outside of such loops."""
    counted: int
    """How often the program asked which pass it is, by a counter or by the length of a collection."""
    misses_a_pass: bool
    """Whether an element was taken from a container that only an earlier pass fills."""
    too_long: set[int]
    """What was read from in vain, since that took too long or failed, by id: it is not read again."""
    changes: int
    """How many calls may have changed what other code sees."""

    def __init__(self, site: Span) -> None:
        self.modules = {}
        self.scopes = {}
        self.module_hooks = {}
        self.cached_weights = {}
        self.changes = 0
        self.begin_file(site)
        self.begin_path(Choices(), 0, NO_FACTS)

    def begin_file(self, site: Span) -> None:
        """Prepare for another file; the definitions of other modules are kept."""
        self.recorder = Recorder(site)
        if len(self.scopes) > SCOPES:
            self.scopes.clear()
        self.tables = {}
        self.in_sight: ModulesInSight | None = None

    def begin_path(self, choices: Choices, steps: int, facts: Facts) -> None:
        """Prepare for another path: nothing called, nothing unknown, no module looked into."""
        self.begin_decisions(choices)
        self.path.clock = self.recorder
        self.steps, self.facts = steps, facts
        self.models = dict(facts.list_models())
        self.described = {**find_models(), **self.models} if self.models else find_models()
        self.allow_other_modules(OTHER_MODULE_STEPS)
        self.runs_program = False
        self.usual_device = Unknown("device", of_constants=True)
        self.tally_below = NOTHING_DONE
        self.stack = []
        self.modules.clear()
        self.module_hooks.clear()
        self.cached_weights.clear()
        self.searched = set()
        self.missed = set()
        self.too_long = set()
        self.decorating = 0
        self.caching = 0
        self.called = set()
        self.driven = set()
        self.looked_into = set()
        self.unknowns = Tally()
        self.gradient_evidence = False
        self.asks_for_gradients = False
        self.untaken = []
        self.executed = set()
        self.settled = ReachingDecisions()
        self.loop_pass = self.counted = 0
        self.misses_a_pass = False
        self._passes = count(1)

    # Calls between the parts, which do not import each other; `Interpreter` implements them

    @abstractmethod
    def evaluate(self, node: ir.Expr, frame: Frame) -> Value:
        """Return the value of an expression."""

    @abstractmethod
    def execute(self, body: Sequence[ir.Statement], frame: Frame) -> None:
        """Execute statements; control flow leaves by the signals of `statements`."""

    @abstractmethod
    def resume_generator(self, call: Suspended, on_yield: Callable[[Value], None]) -> None:
        """Run a generator; `on_yield` is called with what it yields. Raises NotFollowedError."""

    @abstractmethod
    def get_attribute(self, value: Value, name: str, text: str = "") -> Value:
        """Return `value.name`."""

    @abstractmethod
    def get_uncalled_attribute(self, value: Value, name: str, text: str = "") -> Value:
        """Return `value.name`, which is read and not called: `args.mode` does not show that `args` is a tensor."""

    @abstractmethod
    def set_attribute(self, value: Value, name: str, item: Value, *, augmented: bool = False) -> None:
        """Execute `value.name = item`; `augmented` for `value.name op= ...`."""

    @abstractmethod
    def make_finder(self, frame: Frame, units: Sequence[Unit]) -> Finder:
        """Return a lookup of the names that `units` bind in the module of `frame`, which does not execute all of it."""

    @abstractmethod
    def execute_registrations(self, key: str) -> None:
        """Execute the decorated definitions that imported modules may register under a name."""

    # Shared services

    def fill_table(self, table: Value, key: object) -> None:
        """Register what imported modules register under `key`, which was looked up in vain, if that is a module's
        table. Each entry is searched once."""
        if id(table) not in self.tables or self.decorating or not isinstance(key, str):
            return
        if (id(table), key) not in self.missed:
            self.missed.add((id(table), key))
            self.execute_registrations(key)

    def reach_place(self, place: ir.Place, frame: Frame) -> None:
        """Move execution to `place`. Inside an installed package it stays at the call into it."""
        scope = frame.module or frame
        if scope.other_module:
            self.spend_on_module(scope, 1)
        if not scope.third_party:
            self.recorder.site = frame.find_span(place)

    def spend_on_module(self, scope: Frame, steps: int) -> None:
        """Count statements of another module."""
        if scope.third_party:
            self.library_steps -= steps
        else:
            self.other_module_steps -= steps

    def allow_other_modules(self, steps: int, of_packages: int | None = None) -> None:
        """Set the maximum number of statements that a run executes of other modules, and of installed packages: as many
        if None."""
        self.other_module_steps = steps
        self.library_steps = steps if of_packages is None else of_packages

    def is_spent(self, scope: Frame) -> bool:
        """Return whether no more of another module may be executed."""
        return (self.library_steps if scope.third_party else self.other_module_steps) < 0

    def count_steps(self) -> tuple[int, int, int]:
        """Return the steps left: of all, of other modules' and of installed packages' statements."""
        return self.steps, self.other_module_steps, self.library_steps

    def refund(self, before: tuple[int, int, int], most: int) -> None:
        """Give back steps that were taken since there were so many left, `most` of each kind."""
        left = self.count_steps()
        self.steps, self.other_module_steps, self.library_steps = (
            now + min(then - now, most) for then, now in zip(before, left, strict=True)
        )

    def count_replay(self, steps: Steps, decisions: int, untaken: int) -> None:
        """Count effects that were replayed: steps, decisions, skipped code."""
        self.steps -= steps.all
        self.other_module_steps -= steps.other_modules
        self.library_steps -= steps.library
        done = self.tally_below
        taken, skipped = done[4] + decisions, done[5] + untaken
        self.tally_below = (*map(add, done[:3], steps), done[3], taken, skipped, *done[6:])
        if self.steps < 0:
            raise OutOfBudgetError

    def count_effects(self) -> Sequence[int]:
        """Return counts of what was done so far: steps as in `Steps`, then numbers that do not change while a unit only
        defines."""
        return (
            -self.steps, -self.other_module_steps, -self.library_steps,
            len(self.recorder.events), len(self.choices.taken), len(self.untaken),
            len(self.called), len(self.looked_into), self.unknowns.total(), self.changes, self.gradient_evidence,
        )  # fmt: skip

    def begin_pass(self) -> None:
        """Begin a pass of a loop that stands for more passes than are executed."""
        self.loop_pass = next(self._passes)

    def note_growth(self, value: Items | DictValue) -> None:
        """Record that a container grows in this pass of a loop: if it also did in another pass, it does in each."""
        if self.loop_pass:
            value.grows = value.grows or bool(value.items and value.grown_in != self.loop_pass)
            value.grown_in = self.loop_pass

    def note_missing_pass(self, value: Items | ModuleContainer) -> None:
        """Record that an element is taken from an empty container: a running program added it in an earlier pass."""
        if self.loop_pass and not value.items and not value.open:
            self.misses_a_pass = True

    def note_untaken(
        self,
        code: Sequence[ir.Statement] | ir.Expr,
        frame: Frame,
        because_of: tuple[int, ...] = (),
        *,
        follows: bool = False,
    ) -> None:
        """Record that the run skips `code`, which another decision might execute. For the rest see Untaken."""
        if code and self.path.taken:
            under = self.recorder.guards.list_decisions() if because_of else ()
            self.untaken.append(Untaken(code, frame, len(self.path.taken), because_of, under, follows))

    def open_module(self, module: ModuleText, units: Sequence[Unit]) -> Frame:
        """Return the scope of another module, in which nothing has been executed yet."""
        frame = self.scopes.get(module)
        if frame is None:
            model = module if module.model else None
            frame = Frame(module.filename, 1, other_module=not module.model, third_party=not module.own, model=model)
            self.scopes[module] = frame
            frame.find_global = self.make_finder(frame, units)
        else:
            frame.forget_names()
        return frame

    def unknown_call(self, text: str, values: Sequence[Value], name: str = "") -> Unknown:
        """Return the result of a call that is not modelled or not in sight; count it as a gap if tensors went in.

        Under `no_grad` its result has no autograd history. `name`: the callee's dotted name, if it is a library's.
        """
        result = self.make_unknown(text, list(_list_held(values)))
        is_class = name.rpartition(".")[2][:1].isupper()
        result.may_cut = bool(name) and not is_class
        name = "" if name.startswith(".") else name  # a user module that is not in sight
        of_tensors = any(isinstance(v, Tensor) or (isinstance(v, Unknown) and v.tensorlike) for v in values)
        if of_tensors or result.inputs:
            result.graphless = not self.recorder.grad_mode
        if of_tensors or (name and not _OF_MODULES.isdisjoint(map(type, values))):
            result.callee = Callee(text + self._name_model(), name, of_tensors)
            self.unknowns[result.callee] += 1
        result.given = tuple(value for value in values if type(value) in _MAY_BE_TRAINED)
        if name:
            result.library = name if is_class else f"{name}()"
            result.of_constants = not is_class and all(map(self._is_without_graph, values))
        return result

    def _is_without_graph(self, value: Value) -> bool:
        """Return whether a value is a constant, or a tensor that requires no grad."""
        return is_constant(value) or (isinstance(value, Tensor) and not self.recorder.requires_grad(value))

    def _name_model(self) -> str:
        """Return the model that makes the call, "" if none does: its code is in no file that the reader sees."""
        frame = self.stack[-1] if self.stack else None
        if frame is None or frame.find_module_scope().model is None:
            return ""
        function = f"{frame.owner.name}.{frame.function}" if frame.owner is not None else frame.function
        return f" in the model of {function}"

    def drop_result(self, result: Value) -> None:
        """Record that the result of a call is not used: knowing its callee would gain little."""
        if isinstance(result, Unknown) and result.callee is not None and self.unknowns[result.callee]:
            self.unknowns[result.callee] -= 1
            self.unknowns[result.callee._replace(used=False)] += 1

    def make_unknown(self, origin: str, inputs: Sequence[Value] = ()) -> Unknown:
        """Return a value of which only its origin is known, and the tensors it may have been computed from."""
        sources: dict[Tensor, bool] = {}
        for value in inputs:
            if isinstance(value, (Tensor, Unknown)):
                unsure = _list_unsure_sources(value)
                for source in self._find_sources(value):
                    sources[source] = source not in unsure or sources.get(source, False)
        unsure = tuple(source for source, is_sure in sources.items() if not is_sure)
        return Unknown(origin, inputs=tuple(sources), unsure=unsure)

    def _find_sources(self, value: Tensor | Unknown) -> Sequence[Tensor]:
        """Return the tensors on which a value computed from `value` depends."""
        if isinstance(value, Tensor):
            return tensors_in(self.recorder, value)
        return (value.tensor,) if value.tensor is not None and value.inputs else value.inputs

    def make_element(self, value: Unknown, text: str = "") -> Unknown:
        """Return an element of an unknown value; `text` is its expression in the source."""
        origin = text or (ELEMENT + value.origin if value.origin else "")
        element = self.make_part(value, origin)
        element.may_cut = value.may_cut
        return element

    def make_part(self, value: Unknown, origin: str) -> Unknown:
        """Return an unknown part of an unknown value: without a graph, and computed from nothing, if it gives data."""
        part = self.make_unknown(origin, () if value.gives_data else [value])
        part.graphless = value.graphless or value.gives_data
        part.flows, part.part, part.of_constants = value.flows, True, value.of_constants
        return part

    def read_classes(self, cls: Class, read: Read[Found], name: str) -> list[Found]:
        """Return what `read` finds about a name in the text of a class and of its bases in sight."""
        definitions = [ancestor.definition for ancestor in cls.list_lineage() if ancestor.definition is not None]
        found = [read(definition, name) for definition in definitions]
        self.looked_into.update(
            ClassFact(definition, read, name, what) for definition, what in zip(definitions, found, strict=True)
        )
        return found


def _list_unsure_sources(value: Tensor | Unknown) -> Sequence[Tensor]:
    """Return the tensors from whose graphs a value may have been detached by unseen code before it is used as a tensor:
    after that, its node in the graph says so."""
    if isinstance(value, Tensor) or value.tensor is not None:
        return ()
    return value.inputs if value.may_cut else value.unsure


def _list_held(values: Iterable[Value]) -> Iterator[Value]:
    """Yield the values, and what lies in the lists, tuples and dicts among them, without parameters: these are given
    to be changed."""
    for value in values:
        yield value
        if type(value) in _HOLDING:
            yield from islice((part for part in _walk_held(value, DEEP) if not _is_parameter(part)), MOST_HELD)


_HOLDING = frozenset((Items, DictValue))


def _walk_held(value: Value, levels: int) -> Iterator[Value]:
    parts = value.items.values() if isinstance(value, DictValue) else value.items if isinstance(value, Items) else ()
    for part in parts:
        if type(part) not in _HOLDING:
            yield part
        elif levels:
            yield from _walk_held(part, levels - 1)


def _is_parameter(value: Value) -> bool:
    return isinstance(value, Tensor) and value.parameter
