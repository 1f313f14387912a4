"""What one run along one path needs, and the doors between the parts of the interpreter."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter as Tally
from collections.abc import Callable, Container, Hashable, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from inplace_lsp.interpret.autograd.ops import tensors_in
from inplace_lsp.interpret.autograd.recorder import Recorder
from inplace_lsp.interpret.state.facts import NO_FACTS, Facts, ModuleText
from inplace_lsp.interpret.state.frames import Finder, Frame
from inplace_lsp.interpret.state.paths import Choices
from inplace_lsp.interpret.state.readings import Found, Read, Reading
from inplace_lsp.interpret.state.values import (
    Callee,
    Class,
    Instance,
    Items,
    Known,
    Module,
    Number,
    Optimizer,
    Suspended,
    Tensor,
    Unknown,
    Value,
)
from inplace_lsp.interpret.state.values import Container as ModuleContainer
from inplace_lsp.interpret.state.values import Mapping as DictValue
from inplace_lsp.models import find_models
from inplace_lsp.source import ir
from inplace_lsp.source.units import Unit
from inplace_lsp.tape.model import Span, When

ABROAD, ABROAD_OF_PROGRAM = 100, 12_000
"""Statements of other files that one run may execute, of a function or of the program; calls there are unknown then."""

SCOPES = 256
"""Other modules of which what they define is kept from one file to the next."""


_MAY_BE_TRAINED = frozenset((Items, DictValue, Module, ModuleContainer, Instance, Unknown))
"""What may hold parameters that an optimizer is made of."""

LookedInto = int | Reading
"""The id of a function's definition of which the whole text counts, or what was read off a class."""

NOTHING_DONE: Sequence[int] = (0,) * 10
"""What `Machine.tally` counts, where nothing was done."""


class RequiresGrad(NamedTuple):
    """The question whether one of `inputs` requires grad."""

    inputs: frozenset[str]


class OutOfBudgetError(Exception):
    """This run took more steps than it may."""


Memory: TypeAlias = dict[tuple[str, object], bool]
"""What was answered to each question about a value."""


class Untaken(NamedTuple):
    """Code that a run left out after so many `decisions`; had it decided otherwise at one of `because_of` (indices of
    its decisions), it would have been executed."""

    code: Sequence[ir.Statement] | ir.Expr
    frame: Frame
    decisions: int
    because_of: tuple[int, ...]

    def later(self, by: int) -> Untaken:
        """The same, left out after that many more decisions."""
        return self._replace(decisions=self.decisions + by, because_of=tuple(at + by for at in self.because_of))


class Machine(ABC):
    """One run. The parts (`expressions`, `statements`, `calls`, ...) are functions over it."""

    def __init__(self, site: Span) -> None:
        self.modules: dict[str, Frame] = {}
        self.scopes: dict[ModuleText, Frame] = {}
        self.module_hooks: dict[str, Value] = {}
        self.cached_weights: dict[int, Value] = {}
        self.changes = 0
        self.begin(site)
        self.restart(Choices(), 0, NO_FACTS)

    def begin(self, site: Span) -> None:
        """Ready for another file: what other modules define is kept."""
        self.recorder = Recorder(site)
        if len(self.scopes) > SCOPES:
            self.scopes.clear()

    def restart(self, choices: Choices, steps: int, facts: Facts) -> None:
        """Ready for another path: nothing called, nothing unknown, no module looked into."""
        self.choices = self.path = choices
        self.path.clock = self.recorder
        self.steps, self.facts = steps, facts
        self.models = dict(facts.models())
        self.described: Container[str] = {**find_models(), **self.models} if self.models else find_models()
        self.abroad = ABROAD
        self.decides_abroad = False  # whether decisions in other files of the project belong to this path
        self.tally_below = NOTHING_DONE
        self.stack: list[Frame] = []
        self.modules.clear()
        self.module_hooks.clear()
        self.cached_weights.clear()
        self.caching = 0
        self.called: set[int] = set()
        self.driven: set[str] = set()
        self.looked_into: set[LookedInto] = set()
        self.unknowns: Tally[Callee] = Tally()
        self.gradient_evidence = False
        self.untaken: list[Untaken] = []
        self.executed: set[int] = set()
        self.loop_pass = self.counted = 0
        self.misses_a_pass = False
        self._passes = count(1)
        self._decided: dict[tuple[int, tuple[str, object]], tuple[int, Memory]] = {}
        self.answers: dict[Hashable, tuple[Number, tuple[Value, ...]]] = {}

    # Doors: what the parts ask of each other without importing each other; `Interpreter` opens them

    @abstractmethod
    def evaluate(self, node: ir.Expr, frame: Frame) -> Value:
        """The value of an expression."""

    @abstractmethod
    def execute(self, body: Sequence[ir.Statement], frame: Frame) -> None:
        """Execute statements; control flow leaves by the signals of `statements`."""

    @abstractmethod
    def call(self, function: Value, arguments: Sequence[Value], keywords: Mapping[str, Value], text: str = "") -> Value:
        """Call anything. `text` is how the reader knows the call (`model(x)`)."""

    @abstractmethod
    def resume(self, call: Suspended, on_yield: Callable[[Value], None]) -> None:
        """Run a generator; `on_yield` is called with what it yields."""

    @abstractmethod
    def attribute(self, value: Value, name: str, text: str = "") -> Value:
        """`value.name`."""

    @abstractmethod
    def set_attribute(self, value: Value, name: str, item: Value, *, augmented: bool = False) -> None:
        """`value.name = item`; `augmented` for `value.name op= ...`."""

    @abstractmethod
    def globals_of(self, frame: Frame, units: Sequence[Unit]) -> Finder:
        """How the names are found that `units` bind in the module of `frame`, without executing all of it."""

    # Shared services

    def at(self, place: ir.Place, frame: Frame) -> None:
        """Execution reached `place`. Inside an installed package it stays where that was called."""
        scope = frame.module or frame
        if scope.abroad:
            self.abroad -= 1
        if not scope.foreign:
            self.recorder.site = frame.span(place)

    def tick(self) -> None:
        """Count a step. Raises OutOfBudgetError."""
        self.steps -= 1
        if self.steps < 0:
            raise OutOfBudgetError

    def spend(self, steps: int, abroad: int, decisions: int, untaken: int) -> None:
        """Count what need not be done again: steps, statements of other files among them, decisions, code left out."""
        self.steps -= steps
        self.abroad -= abroad
        done = self.tally_below
        taken, left_out = done[3] + decisions, done[4] + untaken
        self.tally_below = (done[0] + steps, done[1] + abroad, done[2], taken, left_out, *done[5:])
        if self.steps < 0:
            raise OutOfBudgetError

    def tally(self) -> Sequence[int]:
        """What was done so far: steps and statements of other files, and then numbers that stay as they are while
        nothing is done but to define."""
        return (
            -self.steps, -self.abroad, len(self.recorder.events), len(self.choices.taken), len(self.untaken),
            len(self.called), len(self.looked_into), self.unknowns.total(), self.changes, self.gradient_evidence,
        )  # fmt: skip

    def begin_pass(self) -> None:
        """Begin a pass of a loop that stands for more passes than are executed. `counted` is how often the program
        asked which pass it is, as by a counter or by what it has collected."""
        self.loop_pass = next(self._passes)

    def note_growth(self, value: Items | DictValue) -> None:
        """Note that a container gets longer in this pass of a loop: if it did in another pass, it does in each."""
        if self.loop_pass:
            value.grows = value.grows or bool(value.items and value.grown_in != self.loop_pass)
            value.grown_in = self.loop_pass

    def note_missing_pass(self, value: Items | ModuleContainer) -> None:
        """Note if an element is taken of what is empty: a program that runs has put one there in an earlier pass."""
        if self.loop_pass and not value.items and not value.open:
            self.misses_a_pass = True

    def pass_by(self, code: Sequence[ir.Statement] | ir.Expr, frame: Frame, because_of: tuple[int, ...] = ()) -> None:
        """The run leaves `code` out: had it decided otherwise before, it might not. `because_of`: see Untaken."""
        if code and self.path.taken:
            self.untaken.append(Untaken(code, frame, len(self.path.taken), because_of))

    def scope_of(self, module: ModuleText, units: Sequence[Unit]) -> Frame:
        """The scope of another module, in which nothing has been executed yet."""
        frame = self.scopes.get(module)
        if frame is None:
            frame = self.scopes[module] = Frame(module.filename, 1, abroad=not module.model, foreign=not module.own)
            frame.model = module if module.model else None
            frame.find_global = self.globals_of(frame, units)
        else:
            frame.empty()
        return frame

    def unknown_call(self, text: str, values: Sequence[Value], name: str = "") -> Unknown:
        """The result of a call that is not modelled or not in sight; counted as a gap if tensors went in. What it makes
        of tensors under `no_grad` carries no graph. `name`: the callee's dotted name, if it is a library's."""
        result = self.unknown(text, values)
        is_class = name.rpartition(".")[2][:1].isupper()
        result.may_cut = bool(name) and not is_class
        name = "" if name.startswith(".") else name  # a module of the user's that is not in sight
        of_tensors = any(isinstance(v, Tensor) or (isinstance(v, Unknown) and v.tensorlike) for v in values)
        if of_tensors or result.inputs:
            result.graphless = not self.recorder.grad_mode
        if of_tensors or (name and any(isinstance(v, (Module, ModuleContainer, Optimizer)) for v in values)):
            result.callee = Callee(text + self._name_model(), name, of_tensors)
            self.unknowns[result.callee] += 1
        result.given = tuple(value for value in values if type(value) in _MAY_BE_TRAINED)
        if name:
            result.library = name if is_class else f"{name}()"
        return result

    def _name_model(self) -> str:
        """Return which model makes the call, if one does: it is in no file that the reader has before them."""
        frame = self.stack[-1] if self.stack else None
        if frame is None or frame.globals().model is None:
            return ""
        function = f"{frame.owner.name}.{frame.function}" if frame.owner is not None else frame.function
        return f" in the model of {function}"

    def drop(self, result: Value) -> None:
        """Nothing is done with the result of a call: little would be gained if the callee were known."""
        if isinstance(result, Unknown) and result.callee is not None and self.unknowns[result.callee]:
            self.unknowns[result.callee] -= 1
            self.unknowns[result.callee._replace(used=False)] += 1

    def unknown(self, origin: str, inputs: Sequence[Value] = ()) -> Unknown:
        """A value of which only its origin is known, and the tensors it may have been computed from."""
        sources: list[Tensor] = []
        for value in inputs:
            if isinstance(value, (Tensor, Unknown)):
                sources.extend(self._sources_of(value))
        return Unknown(origin, inputs=tuple(dict.fromkeys(sources)))

    def _sources_of(self, value: Tensor | Unknown) -> Sequence[Tensor]:
        """Return the tensors on which what is computed from the value depends."""
        if isinstance(value, Tensor):
            return tensors_in(self.recorder, value)
        return (value.tensor,) if value.tensor is not None and value.inputs else value.inputs

    def element_of(self, value: Unknown, text: str = "") -> Unknown:
        """An element of a value that is not known; `text` is how the source names it."""
        element = self.unknown(text or f"an element of {value.origin}", [value])
        element.graphless, element.flows, element.part = value.graphless, value.flows, True
        element.may_cut = value.may_cut
        return element

    def truth(self, value: Value) -> bool:
        """Whether `value` is true; where that is not known, a choice, the same for the same object each time."""
        if isinstance(value, Known):
            return bool(value.value)
        if isinstance(value, Items) and not value.open:
            return bool(value.items)
        if isinstance(value, DictValue) and not value.open:
            return bool(value.items)
        if isinstance(value, Number) and value.negates is not None:
            return not self.truth(value.negates)
        if isinstance(value, (Unknown, Number)):
            return self.remembered(value.truth, ("truth", None))
        if isinstance(value, (Tensor, Items, DictValue)):
            return self.choices.choose(2) == 0
        return True

    def negate(self, value: Value) -> Value:
        """`not value`. Where that is not known, nothing is decided before somebody asks for its truth."""
        if isinstance(value, (Unknown, Number)):
            return Number(negates=value)
        return Known(not self.truth(value)) if not isinstance(value, Tensor) else Number()

    def name_in(self, value: Value) -> str | None:
        """The text that `value` is; where it may be one of several, a choice that is the same from then on."""
        if isinstance(value, Unknown) and value.names:
            value.names = (value.names[self.choices.choose(len(value.names)) if len(value.names) > 1 else 0],)
            return value.names[0]
        return value.value if isinstance(value, Known) and isinstance(value.value, str) else None

    def read_classes(self, cls: Class, read: Read[Found], name: str) -> list[Found]:
        """Return what `read` finds about a name in the text of a class and of its bases, those of them in sight."""
        definitions = [one.definition for one in cls.lineage() if one.definition is not None]
        found = [read(definition, name) for definition in definitions]
        self.looked_into.update(Reading(one, read, name, what) for one, what in zip(definitions, found, strict=True))
        return found

    def answer(self, question: Hashable, *about: Value) -> Number:
        """The unknown answer to a question `about` these values: the same one each time it is asked."""
        if question not in self.answers:
            self.answers[question] = Number(), about  # which keeps them, and with them their identities
        return self.answers[question][0]

    def ask_requires_grad(self, when: When) -> Value:
        """Whether a tensor that requires grad under that condition does; a choice where it hangs on inputs."""
        if when.always or when.inputs <= self.without_grad():
            return Known(when.always)
        return self.answer(RequiresGrad(when.inputs))

    def without_grad(self) -> frozenset[str]:
        """Return the inputs that do not require grad on this path, since the program asked and went on as if so."""
        asked = ((question, number) for question, (number, _) in self.answers.items())
        denied = (one.inputs for one, number in asked if isinstance(one, RequiresGrad) and _is_denied(number))
        return frozenset().union(*denied)

    def remembered(self, memory: Memory, key: tuple[str, object], *, likely: bool = True) -> bool:
        """A choice between True and False made once for `key`; the first path takes what is `likely`."""
        if key in memory:
            decided = self._decided.get((id(memory), key))
            if decided is not None:
                self.path.recalled.append(decided[0])
            return memory[key]
        memory[key] = (self.choices.choose(2) == 0) == likely
        if self.choices is self.path:
            self._decided[id(memory), key] = len(self.path.taken) - 1, memory
        return memory[key]


_DENIALS = {("truth", None): False, ("==", True): False, ("==", False): True}
"""What is asked of an answer, and what is said if it is no."""


def _is_denied(answer: Number) -> bool:
    """Whether an answer was decided to be no."""
    return any(answer.truth.get(asked) is said for asked, said in _DENIALS.items())


Handler: TypeAlias = Callable[[Machine, list[Value], dict[str, Value], str], Value]
"""What a function of a library does, given its arguments, its keywords and how the reader knows the call."""
