"""The abstract recorder of autograd: tensors, version counters, the graph, and the events on the tape.

Sources: `check_inplace` and `rebase_history` (torch/csrc/autograd/VariableTypeUtils.h, variable.cpp), SavedVariable,
and the notes of torch's "Autograd mechanics".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import count
from typing import NamedTuple, TypeAlias

from inplace_lsp.interpret.autograd.contents import Contents
from inplace_lsp.interpret.autograd.guards import Guards
from inplace_lsp.interpret.autograd.handlers import Handlers
from inplace_lsp.interpret.autograd.ignored_writes import IgnoredWrite
from inplace_lsp.interpret.autograd.ledger import Ledger
from inplace_lsp.interpret.autograd.overlaps import is_refused_operand
from inplace_lsp.interpret.autograd.route import Route
from inplace_lsp.interpret.autograd.scopes import Scopes
from inplace_lsp.interpret.autograd.shared_gradients import find_sharing_node, has_known_shapes
from inplace_lsp.interpret.autograd.walks import (
    find_reachable,
    find_surely_reachable,
    is_summed,
    leads_only_to,
    leads_through,
    nodes_leading_to,
)
from inplace_lsp.interpret.state.layout import Layout, are_disjoint
from inplace_lsp.interpret.state.paths import ControlSignal
from inplace_lsp.interpret.state.values import Counter, Items, Native, Node, Storage, Tensor, Unknown, Value
from inplace_lsp.tape import autograd as rules
from inplace_lsp.tape.model import (
    NEVER,
    Actor,
    Backward,
    Check,
    Create,
    Event,
    Free,
    Guard,
    Refusal,
    Reject,
    Save,
    Scope,
    SetData,
    Span,
    TensorState,
    View,
    ViewKind,
    When,
    Write,
)
from inplace_lsp.tape.records import record

HOOKS = "_backward_hooks"
"""Where a leaf keeps what is to run before its gradient is filled in."""
GRADIENT = "grad"
"""The op of the node behind a gradient that has a graph (`create_graph=True`)."""
GRADIENT_HOOKS = "_post_accumulate_grad_hooks"
"""Where a leaf keeps what is to run as soon as a walk has filled in its gradient."""


class TorchError(ControlSignal):
    """An error that torch raises whatever is assumed about the inputs, and that the program catches."""

    def caused_by(self, because_of: tuple[int, ...]) -> TorchError:
        """Return the error, raised because of these decisions."""
        self.because_of = because_of
        return self


class Refused(NamedTuple):
    """A write by `op` that torch refuses, and why."""

    op: str
    reason: rules.Rejection


FLOATS = ("float", "")
"""Types of elements that may require grad; "" is one that is not known."""
_OF_LEAVES = frozenset((rules.Rejection.LEAF, rules.Rejection.LEAF_VIEW))
"""The reasons to refuse what may be meant as an update of a leaf."""


_CAST = frozenset(
    "matmul mm bmm mv addmm addmv addbmm baddbmm linear bilinear einsum conv1d conv2d conv3d conv_transpose1d "
    "conv_transpose2d conv_transpose3d scaled_dot_product_attention".split()
)
"""Ops that autocast gives casts of their operands; they keep the casts."""


_Modes: TypeAlias = tuple[bool, bool, bool, int, int]
_AT_START: _Modes = (True, False, False, 0, 0)
"""The modes at the start of a program or a thread: grad mode, inference mode, autocast, and the number of contexts that
save copies, or tensors without a check."""

_KEPT_AS_VIEW = frozenset({("linear", "weight")})
"""Saves that hold a view of the tensor, not the tensor: an assignment to its `.data` does not reach them."""


@record
class SavedTensor:
    """A tensor that a node saved: its counter, the condition, and its memory with its contents from event `at` on.

    `held`: the object itself, if the save holds that.
    """

    counter: Counter
    when: When
    storage: Storage
    layout: Layout | None
    at: int
    contents: int
    held: Tensor | None = None


@record
class RecomputedSave:
    """A save of `node` that is not kept but computed again at backward, as it would be if the memory that was read were
    saved."""

    node: Node
    save: Save
    saved: SavedTensor


@record
class WrittenRegion:
    """The part of a storage that the write at event `at` reached; `counter` is the one it bumped."""

    at: int
    counter: Counter | None
    layout: Layout | None


@dataclass(frozen=True, slots=True)
class TapeMark:
    """A position on a recorder's tape, with the saves known there."""

    events: tuple[Event, ...]
    id: int
    saved: dict[int, SavedTensor]
    held: set[int]
    written: dict[int, list[WrittenRegion]]
    ignored_writes: list[IgnoredWrite]
    trained: set[str]
    guards: tuple[Guard, ...]
    scopes: tuple[Scope, ...]
    contents: Contents
    refusals: tuple[int, ...]


class Recorder:
    """The abstract machine below Python: one tape, one heap, the grad modes.

    `site` is the current place in the program, `route` the calls that led there; `last_return` the function of the
    user's that returned last, with the place; `inside` names the library function
    whose model runs there. `newest` is the id of the tensor that was made last. `trained`, `guards`, `scopes` and
    `refusals`: see Tape. Where torch refuses something whose error no handler of `handlers` catches, the run goes on as
    if it had been done out of place; with a `ledger`, as if torch had done it. `recomputed` takes the saves of what a
    checkpoint computes again. `set_by_data`: for the ids of tensors that require no grad, and got or were computed from
    the values of one that does, the assignment to `.data`. `retaining`: tensors that are no leaves and keep their
    gradients. `moves`: the program has moved something to a device. `frozen`: the decision of this path by which
    a leaf requires no grad, by the leaf's id. `thaws`: those of them whose leaf was written.
    """

    def __init__(self, site: Span) -> None:
        self.events: list[Event] = []
        self.guards = Guards(self.events)
        self.scopes = Scopes(self.events)
        self.ledger: Ledger | None = None
        self.handlers = Handlers()
        self.refusals: list[int] = []
        self._set_modes(_AT_START)
        self.site = site
        self.route = Route()
        self.last_return: tuple[str, Span | None] = "", None
        self.spelling = ""
        self.inside = ""
        self._ids = count(1)
        self.newest = 0
        self._saved: dict[int, SavedTensor] = {}
        self._written: dict[int, list[WrittenRegion]] = {}
        self._ignored_writes: list[IgnoredWrite] = []
        self._held: set[int] = set()
        self.contents = Contents()
        self.trained: set[str] = set()
        self.set_by_data: dict[int, SetData] = {}
        self.retaining: list[Tensor] = []
        self.recomputed: list[RecomputedSave] | None = None
        self.moves = False
        self.frozen: dict[int, int] = {}
        self.thaws: set[int] = set()

    def mark_tape(self) -> TapeMark:
        """Return the current state of the tape."""
        written = {storage: list(regions) for storage, regions in self._written.items()}
        events, ignored_writes = tuple(self.events), list(self._ignored_writes)
        return TapeMark(
            events, next(self._ids), dict(self._saved), set(self._held), written, ignored_writes, set(self.trained),
            self.guards.mark(),
            self.scopes.mark(),
            self.contents.duplicate(),
            tuple(self.refusals),
        )  # fmt: skip

    def rewind_tape(self, mark: TapeMark, site: Span) -> None:
        """Go back to `mark`, with the modes of a program's start."""
        self.events[:] = mark.events
        self._ids = count(mark.id)  # the same run gives the same tape, whatever ran before it
        self.newest = mark.id
        self._saved, self._held, self.trained = dict(mark.saved), set(mark.held), set(mark.trained)
        self._written = {storage: list(regions) for storage, regions in mark.written.items()}
        self._ignored_writes = list(mark.ignored_writes)
        self.guards.rewind(mark.guards)
        self.scopes.rewind(mark.scopes)
        self.contents = mark.contents.duplicate()
        self.refusals[:] = mark.refusals
        self.set_by_data = {}
        self.retaining = []
        self.frozen, self.thaws = {}, set()
        self._set_modes(_AT_START)
        self.site, self.route, self.inside, self.spelling = site, Route(), "", ""
        self.last_return = "", None

    def _set_modes(self, modes: _Modes) -> None:
        self.grad_mode, self.inference_mode, self.autocast, self.hiding, self.unchecking = modes

    @contextmanager
    def new_thread(self) -> Iterator[None]:
        """Run with the modes of a program's start, as a new thread does."""
        before = self.grad_mode, self.inference_mode, self.autocast, self.hiding, self.unchecking
        self._set_modes(_AT_START)
        try:
            yield
        finally:
            self._set_modes(before)

    @contextmanager
    def run_spelt(self, spelling: str) -> Iterator[None]:
        """Run a write that the program spells as an operator."""
        self.spelling = spelling
        try:
            yield
        finally:
            self.spelling = ""

    @contextmanager
    def set_grad_mode(self, mode: bool) -> Iterator[None]:
        """Run as a library does under its own `torch.no_grad()` or `torch.enable_grad()`."""
        before, self.grad_mode = self.grad_mode, mode
        try:
            yield
        finally:
            self.grad_mode = before

    # Tensors

    def new_tensor(
        self,
        op: str,
        *,
        name: str = "",
        requires_grad: When = NEVER,
        node: Node | None = None,
        dtype: str = "float",
        shape: tuple[int | None, ...] | None = None,
        assumed: bool = False,
        version: int = 0,
    ) -> Tensor:
        """Return a tensor with its own memory. `version`: the number of writes during its construction."""
        tensor = Tensor(
            next(self._ids),
            Storage(next(self._ids)),
            Counter(next(self._ids), version),
            name=name,
            requires_grad=requires_grad,
            leaf=node is None and not assumed,
            node=node,
            dtype=dtype,
            shape=shape,
            inference=self.inference_mode and not assumed,
            assumed=assumed,
        )
        self.newest = tensor.id
        self.events.append(Create(self.site, self.tensor_state(tensor), op))
        return tensor

    def new_gradient(self, summed: bool) -> Tensor:
        """Return the gradient that a backward passes to the user's code; for a `sum`, it is a single expanded
        element."""
        gradient = self.new_tensor("grad", name="a gradient")
        gradient.expanded = frozenset({0}) if summed else frozenset()
        return gradient

    def new_view(self, of: Tensor, op: str, kind: ViewKind = ViewKind.PLAIN, *, to_write: bool = False) -> Tensor:
        """Return a differentiable view: it shares memory and counter, and its node leads to the original's.

        `to_write`: the view is made by an index assignment; where torch refuses that write, the write is to blame, not
        the view it needs.
        """
        needs = self.needs_grad([of])
        blocked = to_write and of.view not in (ViewKind.NONE, ViewKind.PLAIN)
        if not blocked:
            self._refresh_if_needed(of)
        tensor = Tensor(
            next(self._ids),
            of.storage,
            of.counter,
            origin=of.name or of.origin,
            requires_grad=needs,
            leaf=not needs,
            node=self.new_node(op, [of], needs) if needs and not blocked else None,
            base=of.base or of,
            view=self._view_kind(of, kind),
            seen_version=of.counter.version,
            expanded=of.expanded,
            inference=of.inference,
            dtype=of.dtype,
            array=of.array,
            alias=of.alias,
            original=of.original,
            contiguous=of.contiguous,
            taken_from=of,
            device=of.device,
        )
        self.newest = tensor.id
        if tensor.node is not None:
            tensor.node.shows = tensor
        self.events.append(View(self.site, self._local_state(tensor), self._local_state(of), op))
        return tensor

    def _view_kind(self, of: Tensor, kind: ViewKind) -> ViewKind:
        """Return the kind of a view: a view of a special view is as special, unless it is special itself."""
        if self.inference_mode or (of.view is ViewKind.INFERENCE and kind is ViewKind.MULTI_OUTPUT):
            return ViewKind.INFERENCE
        if not self.grad_mode:
            return ViewKind.NO_GRAD
        special = of.view not in (ViewKind.NONE, ViewKind.PLAIN)
        return of.view if kind is ViewKind.PLAIN and special else kind

    def new_alias(self, of: Tensor, op: str, *, shares_counter: bool, array: bool = False) -> Tensor:
        """Return a tensor without history on the same memory: `detach()` shares the counter, `.data`, `.numpy()` do
        not."""
        tensor = Tensor(
            next(self._ids),
            of.storage,
            of.counter if shares_counter else Counter(next(self._ids)),
            origin=of.name or of.origin,
            expanded=of.expanded,
            inference=of.inference and not array,
            dtype=of.dtype,
            shape=of.shape,
            layout=of.layout,
            array=array,
            alias=of.alias if shares_counter else op,
            original=of.original or of,
            contiguous=of.contiguous,
            device=None if array else of.device,
        )
        self.newest = tensor.id
        self.events.append(View(self.site, self._local_state(tensor), self._local_state(of), op))
        return tensor

    def tensor_state(self, tensor: Tensor) -> TensorState:
        """Return the current facts of `tensor`, for an event."""
        base = tensor.base
        return TensorState(
            tensor.id,
            tensor.name,
            tensor.storage.id,
            tensor.counter.id,
            tensor.counter.version,
            self.requires_grad(tensor),
            tensor.leaf,
            base.id if base else None,
            base.leaf if base else True,
            tensor.view,
            tensor.overlaps_itself,
            tensor.inference,
        )

    def _local_state(self, tensor: Tensor) -> TensorState:
        """Return the current facts of `tensor`, named as in the function at work."""
        state, name = self.tensor_state(tensor), self.route.find_local_name(tensor.name)
        return state if name == state.name else state.with_name(name)

    def requires_grad(self, tensor: Tensor) -> When:
        """Return when `tensor` requires grad; a view does if its base does."""
        return tensor.requires_grad | tensor.base.requires_grad if tensor.base else tensor.requires_grad

    def needs_grad(self, tensors: Iterable[Tensor]) -> When:
        """Return when an op on these tensors is recorded: any requires grad, and grad mode is on."""
        if not self.grad_mode or self.inference_mode:
            return NEVER
        needs, normal = NEVER, False
        for tensor in tensors:
            needs = needs | self.requires_grad(tensor)
            normal = normal or not tensor.inference
        return needs if normal else NEVER  # an op on inference tensors alone never comes to autograd

    def needs_floats(self, operands: Iterable[Tensor], written: Sequence[Tensor] = ()) -> When:
        """Return when an op on these operands is recorded: only tensors of floats require grad, and what writes no
        tensor of floats has no gradient to pass on."""
        if written and not any(tensor.dtype in FLOATS for tensor in written):
            return NEVER
        return self.needs_grad(tensor for tensor in operands if tensor.dtype in FLOATS)

    def name_tensor(self, tensor: Tensor, name: str) -> None:
        """Set the variable's name for messages, also in the event that has just created the tensor."""
        tensor.name = name
        last = self.events[-1] if self.events else None
        if isinstance(last, (Create, View)) and last.tensor.id == tensor.id and not last.tensor.name:
            self.events[-1] = last.with_name(name)

    # The graph

    def new_node(self, op: str, inputs: Sequence[Tensor], when: When) -> Node:
        """Return a new node for an op on `inputs`."""
        for tensor in inputs:
            self._refresh_if_needed(tensor)
        node = Node(next(self._ids), op, when, site=self.site)
        for tensor in inputs:
            edge = self._edge_to(tensor)
            if edge is not None:
                node.edges.append(edge)
        return node

    def new_id(self) -> int:
        """Return an id that is lower than those of all later nodes and tensors."""
        return next(self._ids)

    def _edge_to(self, tensor: Tensor) -> Node | Tensor | None:
        if tensor.node is not None:
            return tensor.node
        return tensor if tensor.requires_grad else None

    def _refresh_if_needed(self, tensor: Tensor) -> None:
        """Give a view a new node if its memory was written through another name since it got its own."""
        base = tensor.base
        if base is None or not self.grad_mode or not self._is_stale(tensor):
            return
        if tensor.view is not ViewKind.PLAIN:
            reason = rules.STALE.get(tensor.view, Refusal.STALE_NO_GRAD_VIEW)
            self.reject_operation(tensor, tensor.view.value, reason, base.requires_grad or tensor.requires_grad)
        tensor.seen_version = tensor.counter.version
        tensor.requires_grad = base.requires_grad
        tensor.leaf = not base.requires_grad
        tensor.node = self.new_node("view", [base], base.requires_grad) if base.requires_grad else None
        if tensor.node is not None:
            tensor.node.shows = tensor

    def _is_stale(self, tensor: Tensor) -> bool:
        """Return whether `tensor` is a view in a graph whose memory was written since it got its node."""
        base = tensor.base
        if base is None or tensor.seen_version == tensor.counter.version:
            return False
        return tensor.node is not None or bool(base.requires_grad)

    def save_tensor(self, node: Node, tensor: Tensor, op: str, role: str, when: When) -> None:
        """Save `tensor` for the backward of `node`: under `hiding` contexts and autocast as a copy, under `unchecking`
        ones without a check of its version."""
        read = tensor
        if self.hiding or (self.autocast and role != "result" and op in _CAST):
            tensor = replace(tensor, storage=Storage(next(self._ids)), counter=Counter(next(self._ids)))
        elif self.unchecking:
            tensor = replace(tensor, counter=Counter(next(self._ids)))
        if tensor.inference and not self.inference_mode:
            self.reject_operation(tensor, op, Refusal.INFERENCE_SAVED, when)
        key = next(self._ids)
        self.events.append(
            Save(
                self.site,
                self._local_state(tensor),
                op,
                role,
                key,
                node.id,
                when,
                self.inside,
                tensor.shape,
                self.route.calls,
            )
        )
        node.saves.append(key)
        of_itself = (op, role) not in _KEPT_AS_VIEW and (tensor.leaf or not role.startswith("result"))
        self._saved[key] = self._make_saved_tensor(tensor, when, held=of_itself)
        if of_itself:
            self._held.add(tensor.id)
        if self.recomputed is not None:
            self._note_recomputed_save(node, key, read)

    def _note_recomputed_save(self, node: Node, key: int, tensor: Tensor) -> None:
        """Record a save of the memory itself, whose version is not checked."""
        read = replace(tensor, counter=Counter(next(self._ids)))
        save, when = self.events[-1], self._saved[key].when
        if self.recomputed is not None and isinstance(save, Save) and save.role != rules.PRIVATE:
            save = replace(save, tensor=self._local_state(read))
            self.recomputed.append(RecomputedSave(node, save, self._make_saved_tensor(read, when, held=False)))

    def expose_save(self, read: RecomputedSave) -> None:
        """Let a save be of the memory that is read when it is computed again."""
        self.events[read.saved.at - 1] = read.save
        self._saved[read.save.key] = read.saved

    def save_again(self, read: RecomputedSave) -> None:
        """Save, from now on, the memory that is read when it is computed again."""
        key = next(self._ids)
        self.events.append(replace(read.save, key=key))
        read.node.saves.append(key)
        self._saved[key] = replace(read.saved, at=len(self.events))

    def set_needs_of_saves(self, node: Node) -> None:
        """Set the condition on which `node` needs its saves to `node.when`, which is known only now."""
        for at, event in enumerate(self.events):
            if isinstance(event, Save) and event.key in node.saves:
                self.events[at] = replace(event, when=node.when)
        for key in node.saves:
            self._saved[key] = replace(self._saved[key], when=node.when)

    def keep_on_ctx(self, node: Node, tensor: Tensor, op: str, name: str) -> None:
        """Keep `tensor` as `ctx.name` of a custom Function, unknown to autograd."""
        key = next(self._ids)
        self.events.append(
            Save(self.site, self._local_state(tensor), op, f"{rules.KEPT_ON_CTX}{name}", key, node.id, node.when)
        )
        node.unchecked.append(key)
        self._saved[key] = self._make_saved_tensor(tensor, node.when, held=True)

    def _make_saved_tensor(self, tensor: Tensor, when: When, *, held: bool) -> SavedTensor:
        storage, at = tensor.storage, len(self.events)
        contents = self.contents.find_number(storage)
        return SavedTensor(tensor.counter, when, storage, tensor.layout, at, contents, tensor if held else None)

    def is_saved(self, value: Value) -> bool:
        """Return whether the value is a tensor that a node has saved."""
        return isinstance(value, Tensor) and any(saved.counter is value.counter for saved in self._saved.values())

    def return_input(self, of: Tensor, node: Node, needs: When) -> Tensor:
        """Return the result of a custom Function that returns its input: a view that belongs to the Function."""
        view = self.new_view(of, "view_as", ViewKind.CUSTOM)
        view.name = of.name
        view.node, view.requires_grad, view.leaf, view.shape = node, view.requires_grad | needs, False, of.shape
        return view

    def declare_write(self, since: int, tensor: Tensor, node: Node, needs: When) -> None:
        """Count a custom Function's write of `tensor` since event `since`, which it declared, as a recorded write."""
        for at in range(len(self.events) - 1, since - 1, -1):
            event = self.events[at]
            if isinstance(event, Write) and event.tensor.id == tensor.id:
                replaced = replace(event, grad_mode=self.grad_mode, needs_grad=needs)
                refused = rules.find_rejection(replaced)
                if refused is not None:
                    self.events[at] = replaced
                    if refused[1].always and self.ledger is None:
                        self._go_on_after(at, f"{event.op}: {refused[0].value}")
                        return  # a write that was not done left no history
                break
        self._rebase_history(tensor, node, needs)

    def mark_undeclared_writes(self, since: int, storages: frozenset[int], needs: When) -> None:
        """Mark the writes to `storages` since event `since` as undeclared writes of a custom Function."""
        for at in range(since, len(self.events)):
            event = self.events[at]
            if isinstance(event, Write) and event.tensor.storage in storages:
                self.events[at] = replace(event, actor=Actor.UNDECLARED, needs_grad=needs)

    def save_private(self, node: Node, op: str) -> None:
        """Save something that no other code can write (a mask, a clone): only a second backward can fail on it."""
        scratch = Tensor(next(self._ids), Storage(next(self._ids)), Counter(next(self._ids)))
        self.save_tensor(node, scratch, op, rules.PRIVATE, node.when)

    # Writes

    def check_write(
        self, tensor: Tensor, op: str, needs: When, *, declared: Span | None = None, operands: Sequence[Tensor] = ()
    ) -> Refused | None:
        """Return what torch refuses of the write, before the op saves or writes anything. Raise if the program catches
        torch's error."""
        write = self._write_event(tensor, op, tensor.counter.version + 1, needs, Actor.CODE, declared)
        whole = op in rules.NO_SHARED_OPERAND
        if any(is_refused_operand(tensor, operand, whole=whole) for operand in operands):
            write = replace(write, partial_overlap=True)
        refused = rules.find_rejection(write)
        if refused is None or not refused[1].always or self.ledger is not None:
            return None
        self.events.append(write)
        self._go_on_after(len(self.events) - 1, f"{op}: {refused[0].value}")
        return Refused(op, refused[0])

    def _go_on_after(self, at: int, error: str) -> None:
        """Go on after event `at`, where torch raises an error; raise it if the program catches it."""
        if self.ledger is not None:
            return
        if (because_of := self.handlers.find_catching(is_raised_first=True)) is not None:
            del self.events[at + 1 :]
            raise TorchError(error).caused_by(because_of)
        self.refusals.append(at)

    def renew_name(self, written: Tensor, refused: Refused, needs: When, node: Node | None) -> None:
        """Bind the name of a refused write to the value that it would have, as a new tensor whose history is `node`.
        Leave a trained leaf unchanged: the write is an update, meant to be done under no_grad.
        """
        owner = written.base or written
        if refused.reason in _OF_LEAVES and (owner.parameter or isinstance(owner.grad, Tensor)):
            return
        tensor = self._find_written_base(written)
        if tensor.leaf and node is not None:
            node.stands_in = tensor
        tensor.id, tensor.storage, tensor.counter = (
            next(self._ids), Storage(next(self._ids)), Counter(next(self._ids)),
        )  # fmt: skip
        tensor.node, tensor.leaf, tensor.requires_grad = node, node is None, needs if node is not None else NEVER
        tensor.base, tensor.view, tensor.seen_version, tensor.taken_from = None, ViewKind.NONE, 0, None
        tensor.expanded, tensor.inference, tensor.alias, tensor.original = frozenset(), self.inference_mode, "", None
        tensor.layout, tensor.region, tensor.shifted = None, None, None
        tensor.contiguous, tensor.rows_apart, tensor.swapped = True, False, None
        self.events.append(Create(self.site, self.tensor_state(tensor), refused.op.removesuffix("_")))

    def _find_written_base(self, written: Tensor) -> Tensor:
        """Return the tensor that a statement writes a part of: the one that it took the written view from."""
        origins = {event.tensor.id: event.span for event in self.events if isinstance(event, View)}
        while written.taken_from is not None and origins.get(written.id) == self.site:
            written = written.taken_from
        return written

    def write_tensor(
        self,
        tensor: Tensor,
        op: str,
        needs: When = NEVER,
        *,
        bumps: int = 1,
        actor: Actor = Actor.CODE,
        declared: Span | None = None,
        node: Node | None = None,
        region: Layout | None = None,
        harmless: bool = False,
    ) -> None:
        """Write `tensor`, or its `region`, in place; `node` becomes its history if the write is recorded.

        `bumps`: the increase of the version. `harmless`: the written values are a mask, or those that were there
        before.
        """
        if tensor.alias == rules.DATA and not harmless:
            self._note_ignored_write(tensor, op)
        frozen_by = self.frozen.get((tensor.base or tensor).id)
        if frozen_by is not None and self.grad_mode and not tensor.alias:
            self.thaws.add(frozen_by)
        silent = tensor.array or not bumps
        reached = WrittenRegion(len(self.events), None if silent else tensor.counter, region or tensor.layout)
        self._written.setdefault(tensor.storage.id, []).append(reached)
        self.contents.note_write(tensor.storage, len(self.events))
        after = tensor.counter.version + (0 if silent else bumps)
        event = self._write_event(tensor, op, after, needs, actor, declared)
        self.events.append(event)
        tensor.counter.version = after
        if self.ledger is not None:
            self.ledger.note_write(tensor, op)
            if self.ledger.is_update(event):
                self.ledger.note_update(tensor, node)
                return
        if node is not None and needs:
            self._rebase_history(tensor, node, needs)

    def _note_ignored_write(self, tensor: Tensor, op: str) -> None:
        """Remember that `tensor`, reached through `.data`, is about to be written, if a node computed its memory."""
        original = tensor.original
        made = (original.base or original) if original is not None else None
        if made is None or made.node is None or made.leaf or made.storage is not tensor.storage or tensor.array:
            return
        key, when = next(self._ids), self.requires_grad(made)
        state = self.tensor_state(made)
        self.events.append(Save(self.site, state, made.node.op, rules.AS_MADE, key, made.node.id, when))
        self._ignored_writes.append(IgnoredWrite(key, made.node, tensor.layout, state.version, when))

    def _write_event(
        self, tensor: Tensor, op: str, after: int, needs: When, actor: Actor, declared: Span | None
    ) -> Write:
        state = self._local_state(tensor)
        return Write(
            self.site,
            state if state.name else state.with_name(self.route.find_local_name(tensor.origin)),
            op,
            after,
            self.grad_mode and not tensor.array,
            self.inference_mode,
            needs,
            actor,
            self.route.outermost,
            declared,
            tensor.alias,
            inside=self.inside,
            through=self.route.through,
            calls=self.route.calls,
            spelling=self.spelling,
        )

    def _rebase_history(self, tensor: Tensor, node: Node, needs: When) -> None:
        base = tensor.base
        written = base or tensor
        if self.ledger is not None and written.assumed and written.node is None:
            self.ledger.note_changed_argument(written)
        if base is not None:
            copy = Node(next(self._ids), "CopySlices", needs | base.requires_grad, [node])
            edge = self._edge_to(base)
            if edge is not None:
                copy.edges.append(edge)
            base.node, base.requires_grad, base.leaf = copy, base.requires_grad | needs, False
            base.seen_version = base.counter.version
            self.save_private(copy, node.op)  # it drops its inner node after the first walk
            node = Node(next(self._ids), "view", base.requires_grad, [copy])
        tensor.node, tensor.requires_grad, tensor.leaf = node, tensor.requires_grad | needs, False
        tensor.seen_version = tensor.counter.version

    def assign_data(self, tensor: Tensor, value: Tensor) -> None:
        """Execute `tensor.data = value`: new memory under the same object, unnoticed by the counter.

        A graph that saved the object sees the new memory; one that saved its own result kept the old (SavedVariable).
        """
        self._log_set_data(tensor, value)
        if tensor.id in self._held:
            state, version = self._local_state(tensor), tensor.counter.version
            self._written.setdefault(tensor.storage.id, []).append(WrittenRegion(len(self.events), None, None))
            self.events.append(Write(self.site, state, "data", version, self.grad_mode, alias=rules.DATA))
        tensor.storage = value.storage
        tensor.shape, tensor.layout = value.shape, value.layout
        tensor.contiguous, tensor.expanded = value.contiguous, value.expanded

    def assign_own_data(self, tensor: Tensor, value: Tensor) -> None:
        """Execute the end of `tensor.data += ...`: `value`, a written alias of its memory, loses its history."""
        if value.node is not None:
            self._log_set_data(tensor, value)

    def _log_set_data(self, tensor: Tensor, value: Tensor) -> None:
        of_gradient = value.node is not None and leads_through(value.node, GRADIENT)
        has_gradient = tensor.parameter or isinstance(tensor.grad, (Tensor, Unknown))
        stepped = has_gradient and leads_only_to(value.node, tensor, self.trained)
        target, source = self.tensor_state(tensor), self.tensor_state(value)
        event = SetData(self.site, target, source, self.grad_mode, of_gradient, stepped)
        self.events.append(event)
        if source.requires_grad and not target.requires_grad:
            self.set_by_data[tensor.id] = event

    def note_reads(self, operands: Iterable[Tensor], results: Iterable[Value]) -> None:
        """Note in the events of `.data =` that an op reads a tensor set by them, if it makes a graph; else that its
        results are computed from it."""
        given = list(operands)
        read = [self.set_by_data[tensor.id] for tensor in given if tensor.id in self.set_by_data]
        if not read or self.inside or not self.grad_mode:
            return
        if any(tensor.requires_grad and not (tensor.assumed and tensor.node is None) for tensor in given):
            self._mark_as_read(read)
        else:
            self.set_by_data.update((result.id, read[-1]) for result in results if isinstance(result, Tensor))

    def _mark_as_read(self, read: Sequence[SetData]) -> None:
        """Say in the events of these assignments that what they set is read again."""
        for at, event in enumerate(self.events):
            if type(event) is SetData and not event.read_again and any(event is each for each in read):
                self.events[at] = replace(event, read_again=True)
        self.set_by_data = {id: event for id, event in self.set_by_data.items() if event not in read}

    def reject_operation(self, tensor: Tensor, op: str, reason: Refusal, when: When) -> None:
        """Record that torch refuses the operation at the call. Raise if that is certain and the program catches the
        error."""
        self.events.append(Reject(self.site, self._local_state(tensor), op, reason, when))
        if when.always:
            self._go_on_after(len(self.events) - 1, f"{op}: {reason.value}")

    # Backward

    def run_backward(
        self,
        roots: Sequence[Tensor],
        *,
        retain: bool,
        assumed: bool = False,
        inputs: Sequence[Tensor] | None = None,
        accumulate: bool = True,
        create: bool = False,
    ) -> None:
        """Run backward from `roots`: check the saves, release them unless `retain`, fill the leaves' `.grad`, with a
        graph of their own if `create`."""
        start = self._find_unwalked_start(roots) if assumed else self._find_start(roots)
        if not start:
            return
        key = next(self._ids)
        returned = self.last_return if self.inside else ("", None)
        self.events.append(Backward(self.site, key, retain, assumed, False, self.inside, *returned))
        nodes, leaves = find_reachable(start)
        if self.ledger is not None and not (assumed or accumulate):
            self.ledger.note_handed_out(start)
        if inputs is not None:
            self.trained.update(*(tensor.requires_grad.inputs for tensor in inputs))
            nodes = nodes_leading_to(nodes, [edge for t in inputs if (edge := self._edge_to(t)) is not None])
        walked = len(self.events)
        self._walk_nodes(nodes, key, find_surely_reachable(start, nodes), retain=retain, assumed=assumed)
        if not assumed and self.handlers.are_open:
            self._raise_if_failed(walked)
        self._check_ignored_writes(nodes, start, key)
        if accumulate and not assumed:
            self._fill_gradients(key, leaves if inputs is None else inputs, nodes, start, roots if create else ())
            self._keep_gradients(nodes)

    def _walk_nodes(self, nodes: Sequence[Node], key: int, sure: Set[Node], *, retain: bool, assumed: bool) -> None:
        """Run the nodes, the youngest first; of an assumed backward only the checks."""
        for node in sorted(nodes, key=lambda node: -node.id):
            if assumed and node.freed:  # an earlier backward has had its gradient
                continue
            if assumed:
                self._check_saves(node, key, sure)
            else:
                self._run_node(node, key, nodes, sure)
            if not retain:
                self._free_saves(node, key)

    def _raise_if_failed(self, walked: int) -> None:
        """Raise torch's error if a check since event `walked` surely fails, on a path along which the program catches
        it."""
        checks = [event for event in self.events[walked:] if isinstance(event, Check)]
        if self.ledger is None and any(map(self._is_failure, checks)):
            because_of = self.handlers.find_catching(is_raised_first=False)
            if because_of is not None:
                raise TorchError("backward").caused_by(because_of)

    def _is_failure(self, check: Check) -> bool:
        saved = self._saved[check.save]
        save = self.events[saved.at - 1]
        if not check.when.always or check.apart or not isinstance(save, Save) or not rules.is_checked(save):
            return False
        return check.freed or check.found_version != save.tensor.version

    def _find_start(self, roots: Sequence[Tensor]) -> list[Node | Tensor]:
        """Return where a backward from `roots` starts."""
        for root in roots:
            self._refresh_if_needed(root)
        return [edge for root in roots if (edge := self._edge_to(root)) is not None]

    def _find_unwalked_start(self, roots: Sequence[Tensor]) -> list[Node | Tensor]:
        """Return where an assumed backward starts: only from nodes that the program itself runs no backward from."""
        usable = [root for root in roots if not self._is_stale(root) or root.view is ViewKind.PLAIN]
        start = [edge for root in usable if (edge := self._edge_to(root)) is not None]
        start = [edge for edge in start if not (isinstance(edge, Node) and edge.walked)]
        if self.ledger is not None:
            self.ledger.note_returned_value(start)
        return start

    def _run_node(self, node: Node, key: int, nodes: Sequence[Node], sure: Set[Node]) -> None:
        """Run a node in backward `key`: its hooks, the checks of its saves, and the backward of a custom Function."""
        node.walked = True
        if node.hooks and (node.part or not node.freed):
            self._run_gradient_hooks(node, node.hooks, key, nodes, ())
        self._check_saves(node, key, sure)
        if node.backward is not None and not node.freed:
            node.backward(is_summed(node, nodes))
        if node.stands_in is not None:  # it has a gradient from now on, and what is written next is an update of it
            node.stands_in.node, node.stands_in.leaf = None, True

    def _run_gradient_hooks(
        self,
        target: Node | Tensor,
        hooks: Iterable[Callable[[Tensor], Value]],
        key: int,
        nodes: Sequence[Node],
        leaves: Sequence[Tensor],
    ) -> None:
        """Run hooks with the gradient of `target`, and record a write to it if other inputs get the same gradient in
        this backward, which runs `nodes` and fills in the gradients of `leaves`."""
        gradient = self.new_gradient(is_summed(target, nodes))
        giver = find_sharing_node(target, nodes, leaves)
        shared = None
        if giver is not None and giver.site is not None:
            state = replace(self.tensor_state(gradient), counter=next(self._ids))
            role = rules.SHARED_GRADIENT if has_known_shapes(giver) else rules.SHARED_IF_SHAPES_AGREE
            shared = Save(giver.site, state, giver.op, role, next(self._ids), giver.id, giver.when)
            self.events.append(shared)
        given = gradient
        for hook in hooks:
            returned = hook(given)
            given = returned if isinstance(returned, Tensor) else given
        if shared is not None and gradient.counter.version > shared.tensor.version:
            version = shared.tensor.version
            self.events.append(Check(self.site, shared.key, key, version, changed=True, when=shared.when))

    def _check_saves(self, node: Node, key: int, sure: Set[Node]) -> None:
        """Record what backward `key` finds of the tensors that `node` saved."""
        for save in (*node.saves, *node.unchecked):
            saved = self._saved[save]
            freed = node.freed and save not in node.unchecked
            same = self._is_untouched(saved) or self._is_restored(saved)
            changed, apart = False if same else None, freed and node not in sure
            version = saved.counter.version
            self.events.append(Check(self.site, save, key, version, freed, changed, saved.when, apart))

    def _free_saves(self, node: Node, key: int) -> None:
        if node.saves and not node.freed:
            self.events.append(Free(self.site, node.id, key))
        node.freed = node.freed or node.part or bool(node.saves)

    def _check_ignored_writes(self, nodes: Sequence[Node], start: Sequence[Node | Tensor], key: int) -> None:
        """Record which writes through `.data` backward `key` ignores."""
        for write in self._ignored_writes:
            if write.is_passed(nodes, start):
                self.events.append(Check(self.site, write.key, key, write.version, when=write.when))

    def _fill_gradients(
        self,
        key: int,
        leaves: Sequence[Tensor],
        nodes: Sequence[Node],
        start: Sequence[Node | Tensor],
        roots: Sequence[Tensor],
    ) -> None:
        """Fill in the gradients of `leaves` in backward `key`, between their hooks; `roots`: what their graphs depend
        on, if they have any."""
        walk = self.ledger.note_walk(nodes, start) if self.ledger is not None else None
        for leaf in leaves:
            if HOOKS in leaf.attributes:
                self._run_gradient_hooks(leaf, _list_hooks(leaf, HOOKS), key, nodes, leaves)
            self._accumulate_gradient(leaf, roots)
            if self.ledger is not None and walk is not None:
                self.ledger.note_gradient(leaf, walk)

    def _keep_gradients(self, nodes: Sequence[Node]) -> None:
        """Give the tensors that keep their gradients theirs, if the walk came to the nodes that made them."""
        walked = set(map(id, nodes)) if self.retaining else ()
        for tensor in self.retaining:
            if id(tensor.node) in walked and not isinstance(tensor.grad, Tensor):
                tensor.grad = self.new_tensor("grad", name=f"{tensor.name}.grad")

    def _is_untouched(self, kept: SavedTensor) -> bool:
        """Return whether all writes that bypass the saved tensor's counter certainly missed its memory."""
        regions = self._written.get(kept.storage.id, ())
        silent = [region for region in regions if region.at >= kept.at and region.counter is not kept.counter]
        if not silent or kept.layout is None:
            return False
        return all(region.layout is not None and are_disjoint(region.layout, kept.layout) for region in silent)

    def _is_restored(self, kept: SavedTensor) -> bool:
        """Return whether the saved tensor's memory holds what it held then: a copy of that was put back."""
        storage = kept.storage if kept.held is None else kept.held.storage
        return self.contents.find_number(storage) == kept.contents

    def _accumulate_gradient(self, leaf: Tensor, roots: Sequence[Tensor]) -> None:
        if roots:
            needs = self.needs_grad(roots)
            node = self.new_node("accumulate_grad", [*roots, leaf], needs) if needs else None
            leaf.grad = self.new_tensor("grad", name=f"{leaf.name}.grad", requires_grad=needs, node=node)
        elif isinstance(leaf.grad, Tensor):
            self.write_tensor(leaf.grad, "accumulate_grad")
            self.set_by_data.pop(leaf.grad.id, None)
        else:
            leaf.grad = self.new_tensor("grad", name=f"{leaf.name}.grad")
        for hook in _list_hooks(leaf, GRADIENT_HOOKS):
            hook(leaf)


def _list_hooks(leaf: Tensor, kind: str) -> list[Callable[[Tensor], Value]]:
    """Return a leaf's hooks of this kind."""
    hooks = leaf.attributes.get(kind)
    held = hooks.items if isinstance(hooks, Items) else ()
    return [partial(_call_hook, hook) for hook in held if isinstance(hook, Native)]


def _call_hook(hook: Native, argument: Tensor) -> Value:
    return hook.call([argument], {})
