"""autograd, abstractly: tensors, version counters, the graph, and the events they leave on the tape.

Sources: `check_inplace` and `rebase_history` (torch/csrc/autograd/VariableTypeUtils.h, variable.cpp), SavedVariable,
and the notes of torch's "Autograd mechanics".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import count

from inplace_lsp.interpret.autograd.ignored_writes import IgnoredWrite
from inplace_lsp.interpret.autograd.overlaps import is_refused_operand
from inplace_lsp.interpret.autograd.walks import is_summed, leading_to, leads_through, reachable, surely_reachable
from inplace_lsp.interpret.state.layout import Layout, apart
from inplace_lsp.interpret.state.paths import Left
from inplace_lsp.interpret.state.values import Counter, Items, Known, Native, Node, Storage, Tensor, Value
from inplace_lsp.tape import autograd as rules
from inplace_lsp.tape.model import (
    NEVER,
    Actor,
    Backward,
    Check,
    Create,
    Event,
    Free,
    Refusal,
    Reject,
    Save,
    SetData,
    Span,
    TensorState,
    View,
    ViewKind,
    When,
    Write,
)

HOOKS = "_backward_hooks"
"""Where a leaf keeps what is to run before its gradient is filled in."""
GRADIENT = "grad"
"""The op of the node behind a gradient that has a graph (`create_graph=True`)."""
GRADIENT_HOOKS = "_post_accumulate_grad_hooks"
"""Where a leaf keeps what is to run as soon as a walk has filled in its gradient."""


class TorchError(Left):
    """torch would raise here, whatever is assumed about the inputs."""


_CAST = frozenset(
    "matmul mm bmm mv addmm addmv addbmm baddbmm linear bilinear einsum conv1d conv2d conv3d conv_transpose1d "
    "conv_transpose2d conv_transpose3d scaled_dot_product_attention".split()
)
"""Ops that autocast gives casts of their operands; they keep the casts."""


_AT_START = (True, False, False, 0)
"""Grad mode, inference mode, autocast, and how many contexts hide what is saved, where a program or a thread starts."""

_KEPT_AS_VIEW = frozenset({("linear", "weight")})
"""Saves that hold a view of the tensor, not the tensor: an assignment to its `.data` does not reach them."""


@dataclass(frozen=True, slots=True)
class Kept:
    """What a node has saved: its counter, whether it did, and where in which memory it lies since place `at`."""

    counter: Counter
    when: When
    storage: Storage
    layout: Layout | None
    at: int


@dataclass(frozen=True, slots=True)
class Region:
    """The part of a memory that the write at place `at` reached; `counter` is the one that it bumped."""

    at: int
    counter: Counter | None
    layout: Layout | None


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on a recorder's tape, and the saves it knew of there."""

    events: tuple[Event, ...]
    id: int
    saved: dict[int, Kept]
    held: set[int]
    written: dict[int, list[Region]]
    ignored_writes: list[IgnoredWrite]
    trained: set[str]


class Recorder:
    """The abstract machine below Python: one tape, one heap, the grad modes.

    `site` is where the program stands; `inside` names the library function that is executed there by its model.
    `trained`: see Tape.
    """

    def __init__(self, site: Span) -> None:
        self.events: list[Event] = []
        self._set_modes(_AT_START)
        self.site = site
        self.call: Span | None = None
        self.through: tuple[str, ...] = ()
        self.inside = ""
        self._ids = count(1)
        self._saved: dict[int, Kept] = {}
        self._written: dict[int, list[Region]] = {}
        self._ignored_writes: list[IgnoredWrite] = []
        self._held: set[int] = set()
        self.trained: set[str] = set()

    def mark(self) -> Mark:
        """Where the tape stands."""
        written = {storage: list(regions) for storage, regions in self._written.items()}
        events, ignored_writes = tuple(self.events), list(self._ignored_writes)
        return Mark(
            events, next(self._ids), dict(self._saved), set(self._held), written, ignored_writes, set(self.trained)
        )

    def rewind(self, mark: Mark, site: Span) -> None:
        """Back to `mark`, with the modes of a program's start."""
        self.events[:] = mark.events
        self._ids = count(mark.id)  # the same run gives the same tape, whatever ran before it
        self._saved, self._held, self.trained = dict(mark.saved), set(mark.held), set(mark.trained)
        self._written = {storage: list(regions) for storage, regions in mark.written.items()}
        self._ignored_writes = list(mark.ignored_writes)
        self._set_modes(_AT_START)
        self.site, self.call, self.through, self.inside = site, None, (), ""

    def _set_modes(self, modes: tuple[bool, bool, bool, int]) -> None:
        self.grad_mode, self.inference_mode, self.autocast, self.hiding = modes

    @contextmanager
    def new_thread(self) -> Iterator[None]:
        """Modes belong to a thread: a new one starts with those of a program's start."""
        before = self.grad_mode, self.inference_mode, self.autocast, self.hiding
        self._set_modes(_AT_START)
        try:
            yield
        finally:
            self._set_modes(before)

    @contextmanager
    def set_grad_mode(self, mode: bool) -> Iterator[None]:
        """Do what a library does under `torch.no_grad()` or `torch.enable_grad()` of its own."""
        before, self.grad_mode = self.grad_mode, mode
        try:
            yield
        finally:
            self.grad_mode = before

    # Tensors

    def fresh(
        self,
        op: str,
        *,
        name: str = "",
        requires_grad: When = NEVER,
        node: Node | None = None,
        dtype: str = "float",
        shape: tuple[int | None, ...] | None = None,
        assumed: bool = False,
    ) -> Tensor:
        """A tensor with memory of its own."""
        tensor = Tensor(
            next(self._ids),
            Storage(next(self._ids)),
            Counter(next(self._ids)),
            name=name,
            requires_grad=requires_grad,
            leaf=node is None and not assumed,
            node=node,
            dtype=dtype,
            shape=shape,
            inference=self.inference_mode and not assumed,
            assumed=assumed,
        )
        self.events.append(Create(self.site, self.state(tensor), op))
        return tensor

    def gradient(self, summed: bool) -> Tensor:
        """A gradient that a walk gives to the user's code; that of a `sum` is one element, expanded."""
        gradient = self.fresh("grad", name="a gradient")
        gradient.expanded = frozenset({0}) if summed else frozenset()
        return gradient

    def view(self, of: Tensor, op: str, kind: ViewKind = ViewKind.PLAIN, *, to_write: bool = False) -> Tensor:
        """A differentiable view: memory and counter shared, a node that leads to the original's.

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
            node=self.node(op, [of], needs) if needs and not blocked else None,
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
        )
        if tensor.node is not None:
            tensor.node.shows = tensor
        self.events.append(View(self.site, self.state(tensor), self.state(of), op))
        return tensor

    def _view_kind(self, of: Tensor, kind: ViewKind) -> ViewKind:
        """A view of a special view is as special, unless it is made in a special way itself."""
        if self.inference_mode or (of.view is ViewKind.INFERENCE and kind is ViewKind.MULTI_OUTPUT):
            return ViewKind.INFERENCE
        if not self.grad_mode:
            return ViewKind.NO_GRAD
        special = of.view not in (ViewKind.NONE, ViewKind.PLAIN)
        return of.view if kind is ViewKind.PLAIN and special else kind

    def alias(self, of: Tensor, op: str, *, shares_counter: bool, array: bool = False) -> Tensor:
        """A tensor outside the graph on the same memory: `detach()` shares the counter, `.data`, `.numpy()` do not."""
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
        )
        self.events.append(View(self.site, self.state(tensor), self.state(of), op))
        return tensor

    def state(self, tensor: Tensor) -> TensorState:
        """The facts of `tensor` now, for an event."""
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
            tensor.overlapping,
            tensor.inference,
        )

    def requires_grad(self, tensor: Tensor) -> When:
        """Whether `tensor` requires grad; a view does as soon as its base does."""
        return tensor.requires_grad | tensor.base.requires_grad if tensor.base else tensor.requires_grad

    def needs_grad(self, tensors: Iterable[Tensor]) -> When:
        """Whether an op on these tensors is recorded: any requires grad, and grad mode is on."""
        if not self.grad_mode or self.inference_mode:
            return NEVER
        needs, normal = NEVER, False
        for tensor in tensors:
            needs = needs | self.requires_grad(tensor)
            normal = normal or not tensor.inference
        return needs if normal else NEVER  # an op on inference tensors alone never comes to autograd

    # The graph

    def node(self, op: str, inputs: Sequence[Tensor], when: When) -> Node:
        """A node for an op on `inputs`."""
        for tensor in inputs:
            self._refresh_if_needed(tensor)
        node = Node(next(self._ids), op, when)
        for tensor in inputs:
            edge = self._edge(tensor)
            if edge is not None:
                node.edges.append(edge)
        return node

    def _edge(self, tensor: Tensor) -> Node | Tensor | None:
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
            self.reject(tensor, tensor.view.value, reason, base.requires_grad or tensor.requires_grad)
        tensor.seen_version = tensor.counter.version
        tensor.requires_grad = base.requires_grad
        tensor.leaf = not base.requires_grad
        tensor.node = self.node("view", [base], base.requires_grad) if base.requires_grad else None
        if tensor.node is not None:
            tensor.node.shows = tensor

    def _is_stale(self, tensor: Tensor) -> bool:
        """Whether `tensor` is a view in a graph whose memory was written since it got its node."""
        base = tensor.base
        if base is None or tensor.seen_version == tensor.counter.version:
            return False
        return tensor.node is not None or bool(base.requires_grad)

    def save(self, node: Node, tensor: Tensor, op: str, role: str, when: When) -> None:
        """`node` keeps `tensor` for its backward; under `hiding` contexts and autocast, a copy of it."""
        if self.hiding or (self.autocast and role != "result" and op in _CAST):
            tensor = replace(tensor, storage=Storage(next(self._ids)), counter=Counter(next(self._ids)))
        if tensor.inference and not self.inference_mode:
            self.reject(tensor, op, Refusal.INFERENCE_SAVED, when)
        key = next(self._ids)
        self.events.append(Save(self.site, self.state(tensor), op, role, key, node.id, when, self.inside, tensor.shape))
        node.saves.append(key)
        self._saved[key] = Kept(tensor.counter, when, tensor.storage, tensor.layout, len(self.events))
        of_itself = (op, role) not in _KEPT_AS_VIEW and (tensor.leaf or not role.startswith("result"))
        if of_itself:
            self._held.add(tensor.id)

    def needed(self, node: Node) -> None:
        """When `node` needs its saves is known only now, as `node.when`."""
        for at, event in enumerate(self.events):
            if isinstance(event, Save) and event.key in node.saves:
                self.events[at] = replace(event, when=node.when)
        for key in node.saves:
            self._saved[key] = replace(self._saved[key], when=node.when)

    def keep(self, node: Node, tensor: Tensor, op: str, name: str) -> None:
        """A custom Function keeps `tensor` as `ctx.name`, which autograd knows nothing of."""
        key = next(self._ids)
        self.events.append(
            Save(self.site, self.state(tensor), op, f"{rules.KEPT_ON_CTX}{name}", key, node.id, node.when)
        )
        node.unchecked.append(key)
        self._saved[key] = Kept(tensor.counter, node.when, tensor.storage, tensor.layout, len(self.events))

    def handed_back(self, of: Tensor, node: Node, needs: When) -> Tensor:
        """The result of a custom Function that returned its input as it is: a view that belongs to the Function."""
        view = self.view(of, "view_as", ViewKind.CUSTOM)
        view.name = of.name
        view.node, view.requires_grad, view.leaf, view.shape = node, view.requires_grad | needs, False, of.shape
        return view

    def declared(self, since: int, tensor: Tensor, node: Node, needs: When) -> None:
        """A custom Function told that it wrote `tensor`, since place `since`: the write counts as a recorded one."""
        for at in range(len(self.events) - 1, since - 1, -1):
            event = self.events[at]
            if isinstance(event, Write) and event.tensor.id == tensor.id:
                told = replace(event, grad_mode=self.grad_mode, needs_grad=needs)
                refused = rules.rejection(told)
                if refused is not None:
                    self.events[at] = told
                    if refused[1].always:
                        del self.events[at + 1 :]
                        raise TorchError(f"{event.op}: {refused[0].value}")
                break
        self._rebase(tensor, node, needs)

    def undeclared(self, since: int, storages: frozenset[int], needs: When) -> None:
        """The writes to `storages` from place `since` on were made by a custom Function that did not tell of them."""
        for at in range(since, len(self.events)):
            event = self.events[at]
            if isinstance(event, Write) and event.tensor.storage in storages:
                self.events[at] = replace(event, actor=Actor.UNDECLARED, needs_grad=needs)

    def save_private(self, node: Node, op: str) -> None:
        """`node` keeps something nobody else can write (a mask, a clone): only a second walk can fail on it."""
        scratch = Tensor(next(self._ids), Storage(next(self._ids)), Counter(next(self._ids)))
        self.save(node, scratch, op, "private", node.when)

    # Writes

    def check_write(
        self, tensor: Tensor, op: str, needs: When, *, declared: Span | None = None, operands: Sequence[Tensor] = ()
    ) -> None:
        """Refuse the write if torch does: before the op saves or writes anything."""
        write = self._write_event(tensor, op, tensor.counter.version + 1, needs, Actor.CODE, declared)
        whole = op in rules.NO_SHARED_OPERAND
        if any(is_refused_operand(tensor, one, whole=whole) for one in operands):
            write = replace(write, partial_overlap=True)
        refused = rules.rejection(write)
        if refused is not None and refused[1].always:
            self.events.append(write)
            raise TorchError(f"{op}: {refused[0].value}")

    def write(
        self,
        tensor: Tensor,
        op: str,
        needs: When = NEVER,
        *,
        bumps: bool = True,
        actor: Actor = Actor.CODE,
        declared: Span | None = None,
        node: Node | None = None,
        region: Layout | None = None,
        harmless: bool = False,
    ) -> None:
        """`tensor`, or the `region` of it, is written in place; `node` becomes its history if the write is recorded.

        `harmless`: what is written there is a mask, or what was there before.
        """
        if tensor.alias == rules.DATA and not harmless:
            self._note_ignored_write(tensor, op)
        silent = tensor.array or not bumps
        reached = Region(len(self.events), None if silent else tensor.counter, region or tensor.layout)
        self._written.setdefault(tensor.storage.id, []).append(reached)
        after = tensor.counter.version + (0 if silent else 1)
        self.events.append(self._write_event(tensor, op, after, needs, actor, declared))
        tensor.counter.version = after
        if node is not None and needs:
            self._rebase(tensor, node, needs)

    def _note_ignored_write(self, tensor: Tensor, op: str) -> None:
        """Remember that `tensor`, reached through `.data`, is about to be written, if a node has made its memory."""
        original = tensor.original
        made = (original.base or original) if original is not None else None
        if made is None or made.node is None or made.leaf or made.storage is not tensor.storage or tensor.array:
            return
        key, when = next(self._ids), self.requires_grad(made)
        state = self.state(made)
        self.events.append(Save(self.site, state, made.node.op, rules.AS_MADE, key, made.node.id, when))
        self._ignored_writes.append(IgnoredWrite(key, made.node, tensor.layout, state.version, when))

    def _write_event(
        self, tensor: Tensor, op: str, after: int, needs: When, actor: Actor, declared: Span | None
    ) -> Write:
        state = self.state(tensor)
        return Write(
            self.site,
            state if state.name else replace(state, name=tensor.origin),
            op,
            after,
            self.grad_mode and not tensor.array,
            self.inference_mode,
            needs,
            actor,
            self.call,
            declared,
            tensor.alias,
            inside=self.inside,
            through=self.through,
        )

    def _rebase(self, tensor: Tensor, node: Node, needs: When) -> None:
        base = tensor.base
        if base is not None:
            copy = Node(next(self._ids), "CopySlices", needs | base.requires_grad, [node])
            edge = self._edge(base)
            if edge is not None:
                copy.edges.append(edge)
            base.node, base.requires_grad, base.leaf = copy, base.requires_grad | needs, False
            base.seen_version = base.counter.version
            self.save_private(copy, node.op)  # it drops its inner node after the first walk
            node = Node(next(self._ids), "view", base.requires_grad, [copy])
        tensor.node, tensor.requires_grad, tensor.leaf = node, tensor.requires_grad | needs, False
        tensor.seen_version = tensor.counter.version

    def set_data(self, tensor: Tensor, value: Tensor) -> None:
        """`tensor.data = value`: new memory under the same object, unseen by the counter.

        A graph that saved the object sees the new memory; one that saved its own result kept the old (SavedVariable).
        """
        self._log_set_data(tensor, value)
        if tensor.id in self._held:
            state, version = self.state(tensor), tensor.counter.version
            self._written.setdefault(tensor.storage.id, []).append(Region(len(self.events), None, None))
            self.events.append(Write(self.site, state, "data", version, self.grad_mode, alias=rules.DATA))
        tensor.storage = value.storage
        tensor.shape, tensor.layout = value.shape, value.layout
        tensor.contiguous, tensor.expanded = value.contiguous, value.expanded

    def hand_back(self, tensor: Tensor, value: Tensor) -> None:
        """`tensor.data += ...`: `value`, an alias of its memory, was written and is handed back without its history."""
        if value.node is not None:
            self._log_set_data(tensor, value)

    def _log_set_data(self, tensor: Tensor, value: Tensor) -> None:
        of_gradient = value.node is not None and leads_through(value.node, GRADIENT)
        self.events.append(SetData(self.site, self.state(tensor), self.state(value), self.grad_mode, of_gradient))

    def reject(self, tensor: Tensor, op: str, reason: Refusal, when: When) -> None:
        """torch refuses the operation at the call; the path ends unless that hangs on an assumption."""
        self.events.append(Reject(self.site, self.state(tensor), op, reason, when))
        if when.always:
            raise TorchError(f"{op}: {reason.value}")

    # Backward

    def backward(
        self,
        roots: Sequence[Tensor],
        *,
        retain: bool,
        assumed: bool = False,
        inputs: Sequence[Tensor] | None = None,
        accumulate: bool = True,
    ) -> None:
        """Walk the graph from `roots`: check what was saved, release it unless `retain`, fill the leaves' `.grad`."""
        if assumed:
            roots = [root for root in roots if not self._is_stale(root) or root.view is ViewKind.PLAIN]
        else:
            for root in roots:
                self._refresh_if_needed(root)
        start = [edge for root in roots if (edge := self._edge(root)) is not None]
        if assumed:  # what the program walks itself needs no guess
            start = [edge for edge in start if not (isinstance(edge, Node) and edge.walked)]
        if not start:
            return
        key = next(self._ids)
        self.events.append(Backward(self.site, key, retain, assumed))
        nodes, leaves = reachable(start)
        if inputs is not None:
            self.trained.update(*(one.requires_grad.inputs for one in inputs))
            nodes = leading_to(nodes, [edge for t in inputs if (edge := self._edge(t)) is not None])
        sure = surely_reachable(start, nodes)
        for node in sorted(nodes, key=lambda n: -n.id):
            if node.freed and assumed:  # whoever walked it before had what they wanted
                continue
            node.walked = node.walked or not assumed
            for hook in () if assumed or (node.freed and not node.part) else node.hooks:
                hook(is_summed(node, nodes))
            for save in (*node.saves, *node.unchecked):
                kept = self._saved[save]
                freed = node.freed and save not in node.unchecked
                changed, doubtful = False if self._is_untouched(kept) else None, freed and node not in sure
                version = kept.counter.version
                self.events.append(Check(self.site, save, key, version, freed, changed, kept.when, doubtful))
            if node.backward is not None and not assumed and not node.freed:
                node.backward(is_summed(node, nodes))
            if not retain:
                if node.saves and not node.freed:
                    self.events.append(Free(self.site, node.id, key))
                node.freed = node.freed or node.part or bool(node.saves)
        for one in self._ignored_writes:
            if one.is_passed(nodes, start):
                self.events.append(Check(self.site, one.key, key, one.version, when=one.when))
        if accumulate and not assumed:
            for leaf in leaves if inputs is None else inputs:
                _run(leaf, HOOKS, Known(is_summed(leaf, nodes)))
                self._accumulate(leaf)

    def _is_untouched(self, kept: Kept) -> bool:
        """Whether all writes round its version counter surely went beside what is kept."""
        regions = self._written.get(kept.storage.id, ())
        silent = [one for one in regions if one.at >= kept.at and one.counter is not kept.counter]
        if not silent or kept.layout is None:
            return False
        return all(one.layout is not None and apart(one.layout, kept.layout) for one in silent)

    def _accumulate(self, leaf: Tensor) -> None:
        if isinstance(leaf.grad, Tensor):
            self.write(leaf.grad, "accumulate_grad")
        else:
            leaf.grad = self.fresh("grad", name=f"{leaf.name}.grad")
        _run(leaf, GRADIENT_HOOKS, leaf)


def _run(leaf: Tensor, kind: str, argument: Value) -> None:
    """Run the hooks of that kind of a leaf."""
    hooks = leaf.attributes.get(kind)
    for hook in hooks.items if isinstance(hooks, Items) else ():
        if isinstance(hook, Native):
            hook.call([argument], {})
