"""The events of a tape and the facts they carry.

A tape is an ordered list of events about tensors. Every question the product answers is a fold over it: both recorders
write these classes, so a prediction and an observation can be compared event by event.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import TYPE_CHECKING, TypeVar

from inplace_lsp.tape.records import record

if TYPE_CHECKING:
    from inplace_lsp.tape.plain import Plain


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A place in a source file: 1-based rows, 0-based columns in code points, end exclusive."""

    file: str
    row: int
    column: int
    end_row: int
    end_column: int

    def contains(self, other: Span) -> bool:
        """Return whether the other place lies in this one."""
        if self.file != other.file:
            return False
        begins = (self.row, self.column) <= (other.row, other.column)
        return begins and (other.end_row, other.end_column) <= (self.end_row, self.end_column)


@record
class When:
    """The condition under which something needs a gradient: always, never, or if any of `inputs` requires grad.

    `inputs` are the names a reader knows them by: a parameter (`x`), an attribute (`self.weight`), an
    unknown call (`model(x)`).
    """

    always: bool = False
    inputs: frozenset[str] = frozenset()

    def __or__(self, other: When) -> When:
        if self.always or other.always:
            return ALWAYS
        return When(False, self.inputs | other.inputs) if other.inputs else self

    def __bool__(self) -> bool:
        return self.always or bool(self.inputs)

    def as_plain(self) -> Plain:
        """Return the condition as plain data: true, false, or the list of its inputs."""
        return sorted(self.inputs) if self.inputs and not self.always else self.always

    @staticmethod
    def of_plain(data: Plain) -> When:
        """Return the condition of plain data."""
        if isinstance(data, bool):
            return ALWAYS if data else NEVER
        if not isinstance(data, (list, tuple)):
            raise TypeError(f"{data!r} is no condition")
        return When(False, frozenset(data))


ALWAYS = When(always=True)
NEVER = When()


class ViewKind(Enum):
    """How a tensor came to share the storage of its base, as far as autograd's rules for writes depend on it."""

    NONE = "none"
    PLAIN = "view"
    MULTI_OUTPUT = "multi-output view"
    NO_GRAD = "view made under no_grad"
    INFERENCE = "view made under inference mode"
    CUSTOM = "input that a custom Function returned as it is"


@record
class TensorState:
    """A tensor at one event, before the effect of the event."""

    id: int
    """Identifies the tensor object on the tape."""
    name: str
    """The last name that the program gave it, "" for none."""
    storage: int
    """Two tensors share memory if and only if their `storage` is the same."""
    counter: int
    """Two tensors share a version counter if and only if their `counter` is the same: `.data` has one of its own."""
    version: int
    """The version of the counter."""
    requires_grad: When = NEVER
    """The condition under which it requires grad."""
    leaf: bool = True
    """Whether it is a leaf of the graph."""
    base: int | None = None
    """The id of the tensor at the root of the chain of differentiable views; None for a tensor that is no view."""
    base_leaf: bool = True
    """Whether that root is a leaf."""
    view: ViewKind = ViewKind.NONE
    """The kind of view that it is."""
    overlapping: bool = False
    """Whether several of its elements share memory."""
    inference: bool = False
    """Whether it was made in inference mode."""

    def with_name(self, name: str) -> TensorState:
        """Return the state with a name; most tensors are named, and `dataclasses.replace` takes five times as long."""
        return TensorState(
            self.id, name, self.storage, self.counter, self.version, self.requires_grad, self.leaf,
            self.base, self.base_leaf, self.view, self.overlapping, self.inference,
        )  # fmt: skip


class Actor(Enum):
    """The originator of a write."""

    CODE = "code"
    """The user's own statement, or a library function called on the tensor."""
    STEP = "step"
    """`optimizer.step()`, `load_state_dict()` and other library calls that write parameters on their own account."""
    UNDECLARED = "undeclared"
    """The forward of a custom `autograd.Function` that writes an input without declaring it (`ctx.mark_dirty`)."""


UNSEEN = "an optimizer that is not in sight"
"""The name of an optimizer of which only its arguments are known."""


@record
class Create:
    """A tensor comes into being: a factory call, an op's result, a function's input."""

    span: Span
    tensor: TensorState
    op: str

    def with_name(self, name: str) -> Create:
        """Return the event with a name for the tensor."""
        return Create(self.span, self.tensor.with_name(name), self.op)


@record
class View:
    """`tensor` now shares storage with `of` (a view, `detach`, `.data`, a numpy alias, ...)."""

    span: Span
    tensor: TensorState
    of: TensorState
    op: str

    def with_name(self, name: str) -> View:
        """Return the event with a name for the tensor."""
        return View(self.span, self.tensor.with_name(name), self.of, self.op)


MADE_UP = "verify's stand-in for"
"""First part of `Save.inside` for an op in a function that verify made up, in place of one that it was not given."""


@record
class Save:
    """An op keeps `tensor` for its backward."""

    span: Span
    tensor: TensorState
    """The tensor that is kept."""
    op: str
    """The op that keeps it."""
    role: str
    """The op's own name for the tensor: a parameter (`self`, `other`) or `result`; or one that `autograd.py`
    knows (`AS_MADE`: nothing is kept)."""
    key: int
    """Identifies the save on the tape."""
    node: int
    """The autograd node that the op has made."""
    when: When = ALWAYS
    """The condition under which the op keeps the tensor."""
    inside: str = ""
    """The library function that the statement calls and that runs the op, with what it does, in words."""
    shape: tuple[int | None, ...] | None = None
    """The sizes of the dimensions as far as the program's text states them; None for an unknown size or shape."""
    calls: tuple[Span, ...] = ()
    """The calls of the user's functions that led there, outermost first, as far as the recorder sees them."""


@record
class Write:
    """`tensor` is written in place."""

    span: Span
    tensor: TensorState
    """The tensor that is written."""
    op: str
    """torch's own name of the write: `add_`; for `x[i] = value` `copy_`, or `index_put_` with a mask or indices."""
    version_after: int
    """Equals `tensor.version` for a write that bypasses the version counter."""
    grad_mode: bool
    """Whether grad mode was on."""
    inference_mode: bool = False
    """Whether inference mode was on."""
    needs_grad: When = NEVER
    """The condition under which any differentiable operand, the written tensor included, requires grad."""
    actor: Actor = Actor.CODE
    """Who writes."""
    call: Span | None = None
    """The outermost call that led to the write from the analysed (or executed) function; None if the write stands in
    that function itself."""
    declared: Span | None = None
    """The place of the `inplace=True` that causes the write."""
    alias: str = ""
    """How the program reached the memory, if not by the variable itself: `.data`, `.numpy()`."""
    partial_overlap: bool = False
    """Whether an operand shares some, not all, of the written memory: `x[1:] += x[:-1]`."""
    refused: bool | None = None
    """Whether torch refused the write, where that was observed; None: the rules of `autograd.py` decide."""
    inside: str = ""
    """As in `Save`."""
    through: tuple[str, ...] = ()
    """The names of the user's functions that were called to get there, as far as the recorder sees them."""
    calls: tuple[Span, ...] = ()
    """As in `Save`."""
    spelling: str = ""
    """The operator by which the program writes: `-=`, or `[]=` for an assignment to an index; "" for a call."""


@record
class SetData:
    """`tensor.data = value`: the memory of `tensor` is swapped behind the counter; the graph of `value` is lost.

    The same statement is followed by a silent Write to the old storage, which graphs may have saved.
    """

    span: Span
    tensor: TensorState
    value: TensorState
    grad_mode: bool
    of_gradient: bool = False
    """Whether the graph of `value` leads through a gradient that was computed with a graph (`create_graph=True`)."""
    of_itself: bool = False
    """Whether `tensor` is a parameter, or a leaf that has its gradient, and the graph of `value` leads to no other
    leaf."""
    read_again: bool = False
    """Whether an op that makes a graph reads `tensor` afterwards, itself or through results without a graph, as far as
    the recorder sees: the abstract one looks at tensors that require no grad."""


@record
class Reject:
    """torch refuses an operation at the call for another reason than a plain write (see `Refusal`)."""

    span: Span
    tensor: TensorState
    op: str
    reason: Refusal
    when: When = ALWAYS


class Refusal(Enum):
    """The reasons why torch refuses an operation at the call, apart from those that follow from a Write.

    A view is stale if its counter has moved since it was made (by any write, also under no_grad) while the view or its
    base requires grad. torch notices when a recorded op takes it as an operand (`VariableHooks::grad_fn`).
    """

    STALE_MULTI_VIEW = "the base of a multi-output view was written, then the view was used"
    STALE_NO_GRAD_VIEW = "the base of a view made under no_grad or inference mode was written, then the view was used"
    STALE_CUSTOM_VIEW = "the input that a custom Function returned as it is was written, then the result was used"
    INFERENCE_SAVED = "an inference tensor cannot be saved for backward"
    OUT_REQUIRES_GRAD = "out= does not support automatic differentiation"


STALE_VIEWS = frozenset((Refusal.STALE_MULTI_VIEW, Refusal.STALE_NO_GRAD_VIEW, Refusal.STALE_CUSTOM_VIEW))
"""Refusals of a view: an earlier write to its base is to blame."""


@record
class Backward:
    """A backward starts: `backward()` or `autograd.grad()`."""

    span: Span
    key: int
    """Identifies the backward on the tape."""
    retain: bool
    """Whether it keeps the graph."""
    assumed: bool = False
    """Whether it is one that a caller may start later through the returned value."""
    by_verify: bool = False
    """Whether verify started it, on the line that returns the result, because the program itself has no backward."""
    inside: str = ""
    """As in `Save`."""
    returned_by: str = ""
    """If a framework runs it: the user's function that returned to the framework last."""
    returned_at: Span | None = None
    """The statement with which that function ended."""


@record
class Check:
    """A backward reached the node of a save and checked the version of what it had saved."""

    span: Span
    save: int
    """The key of the save."""
    backward: int
    """The key of the backward."""
    found_version: int
    """The version that the backward found."""
    freed: bool = False
    """Whether an earlier backward released what the node had saved."""
    changed: bool | None = None
    """Whether the contents differ from the saved ones; None where no recorder compared them."""
    when: When = ALWAYS
    """The condition under which the node needs a gradient."""
    apart: bool = False
    """Whether the backward reaches the node only if several results of one call to unseen code share a graph."""


@record
class Free:
    """Backward `backward` released what node `node` had saved."""

    span: Span
    node: int
    backward: int


Event = Create | View | Save | Write | SetData | Reject | Backward | Check | Free
EventKind = TypeVar("EventKind", Create, View, Save, Write, SetData, Reject, Backward, Check, Free)


@record
class Guard:
    """Events that happen only under a condition: a test of the program whose result is not known."""

    first: int
    """Position of the first event."""
    end: int
    """Position after the last event."""
    condition: str
    """The test, as the program writes it."""
    otherwise: str
    """Its negation."""


@record
class Scope:
    """Events inside a context manager or decorator whose code is not in sight: it may turn gradients off."""

    first: int
    """Position of the first event."""
    end: int
    """Position after the last event."""
    context: str
    """The context manager or decorator, as the program writes it."""


@dataclass(frozen=True)
class Tape:
    """The events of one run, abstract or real, of a function."""

    function: str
    """The function that was run."""
    events: tuple[Event, ...] = ()
    """Everything that happened to tensors, in order."""
    error: str | None = None
    """The text of the exception that ended the observing recorder's plain run; None if it ran through."""
    notes: tuple[str, ...] = field(default=())
    """Remarks of the recorder about the run."""
    parameters: tuple[str, ...] = ()
    """The names of the function's parameters."""
    trained: frozenset[str] = frozenset()
    """The inputs, as conditions name them, whose gradient the program itself requests."""
    made_with: tuple[str, ...] = ()
    """The names of the parameters with which the object of a method was constructed."""
    guards: tuple[Guard, ...] = ()
    """The conditions of the abstract recorder's run, outer ones first."""
    assumed: tuple[str, ...] = ()
    """What that run assumes besides, as sentences."""
    refusals: tuple[int, ...] = ()
    """The positions of the events at which torch ends the program, and after which the recorder went on."""
    scopes: tuple[Scope, ...] = ()
    """The unseen context managers and decorators that are taken to leave gradients on."""

    def find_refusal_before(self, event: Event) -> Span | None:
        """Return where torch ends the program before it reaches the event; None if it reaches it."""
        if not self.refusals or self.refusals[0] >= self._positions[id(event)]:
            return None
        return self.events[self.refusals[0]].span

    def list_conditions(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return the conditions under which all these events happen. Leave out a test that has one result in one pass
        of a loop and the other in the next."""
        if not self.guards:
            return ()
        positions = [self._positions[id(event)] for event in events]
        guards = [guard for guard in self.guards if any(guard.first <= at < guard.end for at in positions)]
        denied = {guard.otherwise for guard in guards}
        return tuple(dict.fromkeys(guard.condition for guard in guards if guard.condition not in denied))

    def list_scopes(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return the unseen context managers and decorators in which any of these events of the tape happens."""
        if not self.scopes:
            return ()
        positions = [self._positions[id(event)] for event in events]
        around = (scope for scope in self.scopes if any(scope.first <= at < scope.end for at in positions))
        return tuple(dict.fromkeys(scope.context for scope in around))

    def keep_common(self, guards: Collection[Guard], scopes: Collection[Scope]) -> Tape:
        """Return the tape with the guards and scopes that it shares with another run that recorded the same events."""
        return replace(
            self,
            guards=tuple(guard for guard in self.guards if guard in guards),
            scopes=tuple(scope for scope in self.scopes if scope in scopes),
        )

    def is_unchecked(self, save: Save) -> bool:
        """Return whether hooks of the program keep the saved tensor: nobody checks its version then."""
        tensors = (event.tensor for _, event in self.by_storage[save.tensor.storage] if hasattr(event, "tensor"))
        return any(tensor.id == save.tensor.id and tensor.counter != save.tensor.counter for tensor in tensors)

    @cached_property
    def _positions(self) -> dict[int, int]:
        """The position of each event, by its identity."""
        return {id(event): at for at, event in enumerate(self.events)}

    def events_of(self, kind: type[EventKind]) -> list[tuple[int, EventKind]]:
        """Return the events of one kind in order, each with its position on the tape."""
        return self._events_by_kind.get(kind, [])  # type: ignore[return-value]  # those of that very kind

    def has_any_of(self, kinds: Iterable[type[Event]]) -> bool:
        """Return whether there is an event of one of the kinds."""
        return not self._events_by_kind.keys().isdisjoint(kinds)

    def calls_backward(self) -> bool:
        """Return whether the recorded code calls backward itself."""
        return any(not backward.assumed for _, backward in self.events_of(Backward))

    @cached_property
    def _events_by_kind(self) -> dict[type[Event], list[tuple[int, Event]]]:
        found: dict[type[Event], list[tuple[int, Event]]] = {}
        for placed in enumerate(self.events):
            found.setdefault(type(placed[1]), []).append(placed)
        return found

    @cached_property
    def by_storage(self) -> dict[int, list[tuple[int, Event]]]:
        """The events about tensors by storage, each with its position on the tape."""
        found: dict[int, list[tuple[int, Event]]] = {}
        for at, event in enumerate(self.events):
            if not isinstance(event, Check | Free | Backward):
                found.setdefault(event.tensor.storage, []).append((at, event))
        return found

    @cached_property
    def checks_by_save(self) -> dict[int, list[tuple[int, Check]]]:
        """The checks of each save, each with its position on the tape."""
        found: dict[int, list[tuple[int, Check]]] = {}
        for at, check in self.events_of(Check):
            found.setdefault(check.save, []).append((at, check))
        return found

    @cached_property
    def origins(self) -> dict[int, View | Create]:
        """The event that made each tensor, by its id: the last one, if there are several."""
        return {event.tensor.id: event for event in self.events if isinstance(event, View | Create)}
