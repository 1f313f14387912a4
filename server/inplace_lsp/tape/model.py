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
    """The way a tensor came to share the storage of its base, where autograd treats writes to it differently."""

    NONE = "none"
    PLAIN = "view"
    MULTI_OUTPUT = "multi-output view"
    NO_GRAD = "view made under no_grad"
    INFERENCE = "view made under inference mode"
    CUSTOM = "input that a custom Function returned as it is"


@record
class TensorState:
    """A tensor at one event, before the effect of the event.

    Two tensors share memory iff their `storage` is the same, and share a version counter iff their `counter` is the
    same; `.data` and numpy aliases have the storage of the original and their own counter. `base` is the id of the
    tensor that this one is a differentiable view of (the root of the chain of views), None for other tensors.
    """

    id: int
    name: str
    storage: int
    counter: int
    version: int
    requires_grad: When = NEVER
    leaf: bool = True
    base: int | None = None
    base_leaf: bool = True
    view: ViewKind = ViewKind.NONE
    overlapping: bool = False
    inference: bool = False

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
    """The forward of a custom `autograd.Function` that writes an input and does not say so (`ctx.mark_dirty`)."""


UNSEEN = "an optimizer that is not in sight"
"""The name of an optimizer of which no more is known than what it was made of."""


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
"""How `Save.inside` begins where the op ran in a function that nobody wrote: it stood in for one that was not given."""


@record
class Save:
    """The op that made autograd node `node` keeps `tensor` for its backward, if `when`.

    `role` is the op's own name for it: a parameter (`self`, `other`, ...) or `result`; or one of those that
    `autograd.py` knows (`AS_MADE`: nothing is kept). `key` identifies the save on the tape. `inside`: the library
    function that the statement calls and that runs the op, with what it does, in words. `shape` is that of the tensor
    as far as the program's text tells it: None where it does not, in it for a single extent. `calls`: where the
    calls of the user's functions stand that led there, outermost first, as far as the recorder tells.
    """

    span: Span
    tensor: TensorState
    op: str
    role: str
    key: int
    node: int
    when: When = ALWAYS
    inside: str = ""
    shape: tuple[int | None, ...] | None = None
    calls: tuple[Span, ...] = ()


@record
class Write:
    """`tensor` is written in place by `op`.

    `version_after` equals `tensor.version` for a write that goes round the version counter. `needs_grad` is autograd's
    "any differentiable operand of the op, the written tensor included, requires grad". `call` is the outermost call in
    the entry that was analysed (or run) through which the write was reached, None when the write stands there itself.
    `declared` is where an `inplace=True` that causes the write was written.
    `alias` is the way the written memory was reached when not by the variable itself (`.data`, `.numpy()`), else "".
    `partial_overlap`: an operand shares some, not all, of the written memory (`x[1:] += x[:-1]`). `op` is torch's own
    name of the write (`add_`; for `x[i] = value`: `copy_`, or `index_put_` with a mask or indices).
    `refused` is what torch did, where that was observed; None: the rules of `autograd.py` decide. `inside` is as in
    Save. `through`: the functions of the user's that were called to come there, by name, as far as the recorder tells;
    `calls` as in Save. `spelling`: the operator (`-=`, or `[]=` for an assignment to an index) by which the program
    writes, "" for a call.
    """

    span: Span
    tensor: TensorState
    op: str
    version_after: int
    grad_mode: bool
    inference_mode: bool = False
    needs_grad: When = NEVER
    actor: Actor = Actor.CODE
    call: Span | None = None
    declared: Span | None = None
    alias: str = ""
    partial_overlap: bool = False
    refused: bool | None = None
    inside: str = ""
    through: tuple[str, ...] = ()
    calls: tuple[Span, ...] = ()
    spelling: str = ""


@record
class SetData:
    """`tensor.data = value`: the memory of `tensor` is swapped behind the counter; the graph of `value` is lost.

    The same statement is followed by a silent Write to the old storage, which graphs may have saved.
    `of_gradient`: the graph of `value` leads through a gradient that was asked for with a graph (`create_graph=True`).
    `of_itself`: `tensor` is a parameter, or a leaf that has its gradient, and the graph of `value` leads to no other
    leaf.
    """

    span: Span
    tensor: TensorState
    value: TensorState
    grad_mode: bool
    of_gradient: bool = False
    of_itself: bool = False


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
    """A backward starts: `backward()`, `autograd.grad()`, or (`assumed`) the one a caller may start later through the
    returned value.

    `by_verify`: the program has none; verify runs backward from what the function returns, on the line that returns it.
    `inside` is as in Save. Of a backward that a framework runs, `returned_by` is the function of the user's that has
    returned to it last, and `returned_at` the statement that it ended with.
    """

    span: Span
    key: int
    retain: bool
    assumed: bool = False
    by_verify: bool = False
    inside: str = ""
    returned_by: str = ""
    returned_at: Span | None = None


@record
class Check:
    """Backward `backward` reached the node of save `save` and checked the version of what it had saved.

    `freed`: an earlier backward released it. `changed`: the observing recorder compared the contents (None: unknown).
    `when`: the condition under which the node needs a gradient. `apart`: this backward reaches it only if several
    results of one unseen call share a graph.
    """

    span: Span
    save: int
    backward: int
    found_version: int
    freed: bool = False
    changed: bool | None = None
    when: When = ALWAYS
    apart: bool = False


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
    """The events from `first` to before `end` stand under `condition`: a test of the program that may come out either
    way. `otherwise` is its negation."""

    first: int
    end: int
    condition: str
    otherwise: str


@record
class Scope:
    """The events from `first` to before `end` happen in `context`, a context manager or decorator that is not in sight:
    whether it leaves gradients on is not known."""

    first: int
    end: int
    context: str


@dataclass(frozen=True)
class Tape:
    """The events of one run (abstract or real) of `function`, in order.

    `error`: the text of the exception that ended the observing recorder's plain run; None if it ran through.
    `parameters`: the names of the function's arguments; `made_with`: those that the object of a method was constructed
    with. `trained`: the inputs, as conditions name them, whose gradient the program itself requests. `guards`: the
    conditions of the abstract recorder's run, outer ones first. `assumed`: what that run assumes besides, as sentences.
    `refusals`: the positions of the events at which torch ends the program, and after which the recorder went on.
    `scopes`: the scopes of the abstract recorder's run that are taken to leave gradients on.
    """

    function: str
    events: tuple[Event, ...] = ()
    error: str | None = None
    notes: tuple[str, ...] = field(default=())
    parameters: tuple[str, ...] = ()
    trained: frozenset[str] = frozenset()
    made_with: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    assumed: tuple[str, ...] = ()
    refusals: tuple[int, ...] = ()
    scopes: tuple[Scope, ...] = ()

    def find_refusal_before(self, event: Event) -> Span | None:
        """Return where torch ends the program before it comes to the event; None if it comes there."""
        if not self.refusals or self.refusals[0] >= self._positions[id(event)]:
            return None
        return self.events[self.refusals[0]].span

    def list_conditions(self, events: Iterable[Event]) -> tuple[str, ...]:
        """Return the conditions under which all these events of the tape happen, without those that contradict each
        other: the same test came out both ways in two passes of a loop."""
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
        """Return the tape with those of its guards and scopes that another run has, too, which recorded the same."""
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
