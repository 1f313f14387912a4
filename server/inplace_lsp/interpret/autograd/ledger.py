"""The ledger of a run: the gradients that reach each parameter before a step reads them, and the values that leave the
run.

A recorder keeps one only on request: it serves to compare repairs and is not needed for findings. A run with a ledger
assumes that every write means what its author intended: where torch refuses one, the run goes on as if it had been
done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import NamedTuple

from inplace_lsp.interpret.autograd.walks import find_reachable, nodes_leading_to
from inplace_lsp.interpret.state.values import Instance, Node, Tensor, Value
from inplace_lsp.tape.autograd import TURNING, Rejection, find_rejection
from inplace_lsp.tape.model import Create, Event, View, Write
from inplace_lsp.tape.training import UNKNOWN_WAY, Chain, Gradient, Step, Training, Way, Ways, order_chains

_OF_LEAVES = frozenset({Rejection.LEAF, Rejection.LEAF_VIEW})
_OF_VIEWS = frozenset({Rejection.MULTI_OUTPUT_VIEW, Rejection.NO_GRAD_VIEW})
_CLEARS = frozenset({"zero_", "fill_"})
_ASSEMBLES = frozenset(
    "index_put masked_fill masked_scatter index_fill index_copy scatter select_scatter slice_scatter "
    "diagonal_scatter where stack cat".split()
)
"""Ops that put a value together from others."""
_FILLS = frozenset({"copy_", "fill_", "zero_"})
"""Writes that put something there: to a part of a value they put it together, too."""
_PIECED = "CopySlices"
"""The op of a node behind a write to a part."""
_MOVES = frozenset(op.rstrip("_") for op in TURNING) | frozenset(
    "CopySlices copy clone contiguous reshape flatten to float double half bfloat16 type view as_strided repeat "
    "fill zero".split()
)
"""Ops that only copy: those that make a view are known by their nodes."""
_UNKNOWN = UNKNOWN_WAY[0][0]
"""Ops of unseen code: it is unknown when they used their arguments, and so from which values they computed."""


class _Graph(NamedTuple):
    """The ops that computed a value and the ids of its leaves. `shapes` describes the graph unless the value was
    assembled: every node comes after those that it leads to, with the positions of these."""

    ops: tuple[tuple[str, int], ...]
    leaves: frozenset[int]
    assembled: bool
    shapes: tuple[_Shape, ...] = ()


_Shape = tuple[str | int, tuple[int, ...]]
"""The op of a node, or the id of a leaf, and where its operands stand."""


class Walk(NamedTuple):
    """A backward: the graph of the value that it starts from, and the nodes that it runs."""

    graph: _Graph
    nodes: Sequence[Node]


class _Share(NamedTuple):
    """What a backward adds to a gradient: the graph of its loss, and the ops of it that lead to the leaf."""

    graph: _Graph
    way: Way


class Ledger:
    """The ledgers of the runs of one recorder, one run after the other.

    `updates_leaves`: a refused write to a leaf is meant as an update under `no_grad`; else as an op with a gradient.
    `is_program`: what runs has no caller, so that what its calls return goes nowhere.
    """

    def __init__(self, *, updates_leaves: bool) -> None:
        self._updates_leaves = updates_leaves
        self.is_program = False
        self.runs: list[Training] = []
        self.begin_run()

    def begin_run(self) -> None:
        """Start a new run."""
        self._gradients: dict[int, list[_Share]] = {}
        self._leaves: dict[int, Tensor] = {}
        self._steps: list[list[tuple[Tensor, list[_Share]]]] = []
        self._walked: dict[int, int] = {}
        self._walked_again: list[tuple[Tensor, int]] = []
        self._moved_at: dict[int, int] = {}
        self._fresh: set[int] = set()
        self._fresh_steps = 0
        self._cut: set[int] = set()
        self._walks = 0
        self._returned: list[_Graph] = []
        self._asked: list[_Graph] = []
        self._object: Value | None = None
        self._changed: list[Tensor] = []

    def close_run(self, events: Sequence[Event]) -> None:
        """End the run; its tape gives the names of its leaves."""
        names = _name_leaves(events)
        moved = {leaf.id for step in self._steps for leaf, _ in step}
        left = (leaf for leaf in self._leaves.values() if leaf.id not in moved)
        found = (*self._steps, self._read_gradients(left))
        handed_out = (*self._returned, *self._asked, *_describe_each(_tensors_of(self._object)))
        changed = _describe_each(tensor for tensor in self._changed if tensor.id in names)
        self.runs.append(
            Training(
                tuple(_name_step(step, names) for step in found),
                frozenset(_name_graph(graph, names) for graph in handed_out),
                frozenset(_name_graph(graph, names) for graph in changed),
                tuple(_name_ways(step, names) for step in found),
                self._fresh_steps,
                frozenset(leaf.name for leaf in self._find_outdated_leaves(moved)),
                frozenset(names[leaf] for leaf in self._cut if leaf in names),
                self._walks,
            )
        )

    def _find_outdated_leaves(self, moved: Set[int]) -> Iterator[Tensor]:
        """Yield the leaves whose graph was walked again after steps that have moved them, or though none ever does."""
        for leaf, since in self._walked_again:
            if leaf.id not in moved or any(leaf is other for step in self._steps[since:] for other, _ in step):
                yield leaf

    def is_update(self, write: Write) -> bool:
        """Return whether the write is refused because its target is a leaf, and is meant to keep it one."""
        refused = find_rejection(write) if self._updates_leaves else None
        of_leaf = write.tensor.base is not None and write.tensor.base_leaf
        return refused is not None and (refused[0] in _OF_LEAVES or (refused[0] in _OF_VIEWS and of_leaf))

    def note_walk(self, nodes: Sequence[Node], start: Iterable[Node | Tensor]) -> Walk:
        """Note that a backward from `start` runs these nodes, and which of them use leaves for another time."""
        taken = len(self._steps)
        for node in nodes:
            for leaf in node.edges:
                if not isinstance(leaf, Tensor):
                    continue
                if node.id > self._moved_at.get(leaf.id, 0):
                    self._fresh.add(leaf.id)
                if self._walked.get(node.id, taken) < taken:
                    self._walked_again.append((leaf, self._walked[node.id]))
            self._walked[node.id] = taken
        walk = Walk(_describe_graph(start), nodes)
        self._walks += bool(walk.graph.leaves)
        return walk

    def note_gradient(self, leaf: Tensor, walk: Walk) -> None:
        """Note that a backward has added to the gradient of `leaf`."""
        if isinstance(leaf.grad, Tensor):
            share = _Share(walk.graph, _count_computing(nodes_leading_to(walk.nodes, [leaf])))
            self._gradients.setdefault(leaf.grad.id, []).append(share)
            self._leaves[leaf.id] = leaf

    def note_update(self, tensor: Tensor, node: Node | None) -> None:
        """Note an update of a leaf; the parameters that its new values were computed from by `node` get no gradient."""
        owner = tensor.base or tensor
        reached, leaves = find_reachable(node.edges if node is not None else (), _find_sources)
        if any(not _is_transparent(each) and _name_op(each) != _UNKNOWN for each in reached):
            self._cut |= {leaf.id for leaf in leaves if leaf.parameter and leaf is not owner}

    def note_write(self, tensor: Tensor, op: str) -> None:
        """Forget a gradient that is filled with zeros."""
        if op in _CLEARS:
            self._gradients.pop(tensor.id, None)

    def note_step(self, parameters: Iterable[Tensor], at: int) -> None:
        """Note that a step has read the gradients of these parameters. `at`: all later nodes have higher ids."""
        read = self._read_gradients(parameters)
        moved = {leaf.id for leaf, _ in read}
        self._fresh_steps += bool(moved & self._fresh)
        self._fresh -= moved
        self._moved_at |= dict.fromkeys(moved, at)
        self._steps.append(read)

    def _read_gradients(self, leaves: Iterable[Tensor]) -> list[tuple[Tensor, list[_Share]]]:
        found = [(leaf, leaf.grad) for leaf in leaves]
        return [(leaf, list(self._gradients.get(grad.id, ()))) for leaf, grad in found if isinstance(grad, Tensor)]

    def note_handed_out(self, start: Iterable[Node | Tensor]) -> None:
        """Note that a backward from `start` has returned gradients."""
        self._asked.append(_describe_graph(start))

    def note_returned_value(self, start: Iterable[Node | Tensor]) -> None:
        """Note that a value with the graph behind `start` was returned. Only the last returned value leaves the run, if
        it has a caller: inner calls return before."""
        self._returned = [] if self.is_program else [_describe_graph(start)]

    def note_object(self, value: Value | None) -> None:
        """Note that the run is a method of this object: its attributes leave the run at the end."""
        self._object = value

    def note_changed_argument(self, tensor: Tensor) -> None:
        """Note that the run has written to a tensor argument, which may be a leaf for its caller."""
        if not self._updates_leaves:
            self._changed.append(tensor)


def _tensors_of(value: Value | None) -> list[Tensor]:
    attributes = value.attributes.values() if isinstance(value, Instance) else ()
    return [tensor for tensor in attributes if isinstance(tensor, Tensor) and not tensor.parameter]


def _describe_each(tensors: Iterable[Tensor]) -> list[_Graph]:
    return [_describe_graph([tensor.node]) for tensor in tensors if tensor.node is not None]


def _name_step(step: Iterable[tuple[Tensor, list[_Share]]], names: dict[int, str]) -> Step:
    return frozenset(
        Gradient(names.get(leaf.id, leaf.name), order_chains(_name_graph(share.graph, names) for share in shares))
        for leaf, shares in step
        if shares
    )


def _name_ways(step: Iterable[tuple[Tensor, list[_Share]]], names: dict[int, str]) -> Ways:
    return frozenset(
        (names.get(leaf.id, leaf.name), tuple(sorted(share.way for share in shares))) for leaf, shares in step if shares
    )


def _describe_graph(start: Iterable[Node | Tensor]) -> _Graph:
    """Return the ops that compute, the leaves, and whether anything was assembled."""
    start = list(start)
    reached, leaves = find_reachable(start, _find_sources)
    nodes = sorted(reached, key=lambda node: node.id)  # the oldest first
    ops = _count_computing(nodes)
    found = frozenset(leaf.id for leaf in leaves)
    if ops == UNKNOWN_WAY:
        return _Graph(ops, found, assembled=False)
    assembled = any(_fills_part(node) or _name_op(node) in _ASSEMBLES for node in nodes)
    is_pieced = assembled or any(node.op == _PIECED for node in nodes)
    return _Graph(ops, found, assembled, () if is_pieced else _draw_shapes(start, nodes, leaves))


def _count_computing(nodes: Iterable[Node]) -> Way:
    """Return the ops that compute, each with its count; nothing but `unknown` if one of them is."""
    ops = Counter(op for node in nodes if not _is_transparent(node) and (op := _name_op(node)) not in _ASSEMBLES)
    return UNKNOWN_WAY if _UNKNOWN in ops else tuple(sorted(ops.items()))


def _draw_shapes(start: Sequence[Node | Tensor], nodes: Sequence[Node], leaves: Sequence[Tensor]) -> tuple[_Shape, ...]:
    """Return every leaf and computing node once, followed by the entry for the value itself."""
    shapes: list[_Shape] = [(leaf.id, ()) for leaf in leaves]
    places = {id(leaf): at for at, leaf in enumerate(leaves)}
    for node in nodes:  # edges lead to older nodes
        operands = tuple(places[id(source)] for source in _find_sources(node) if id(source) in places)
        if _is_transparent(node) and len(operands) == 1:
            places[id(node)] = operands[0]
            continue
        places[id(node)] = len(shapes)
        shapes.append((_name_op(node), operands))
    shapes.append(("value", tuple(places[id(edge)] for edge in start)))
    return tuple(shapes)


def _is_transparent(node: Node) -> bool:
    """Return whether a node computes nothing: its result is a view or a copy of its input."""
    return node.shows is not None or _name_op(node) in _MOVES


def _name_op(node: Node) -> str:
    return node.op.rstrip("_")


def _find_sources(node: Node) -> list[Node | Tensor]:
    """Return the edges that a node's gradient follows: none leads to what a copy has replaced."""
    return node.edges[1:] if node.op == "copy_" and len(node.edges) > 1 else node.edges


def _fills_part(node: Node) -> bool:
    written = node.edges[0] if node.op == _PIECED and node.edges else None
    return isinstance(written, Node) and written.op in _FILLS


def _name_graph(graph: _Graph, names: dict[int, str]) -> Chain:
    leaves = frozenset(names.get(leaf, "?") for leaf in graph.leaves)
    return Chain(graph.ops, leaves, graph.assembled, _digest_shapes(graph.shapes, names))


def _digest_shapes(shapes: Sequence[_Shape], names: dict[int, str]) -> int:
    """Return a number that is equal for graphs of the same shape; 0 for an unknown graph."""
    digests: list[int] = []
    for what, operands in shapes:
        name = names.get(what, "?") if isinstance(what, int) else what
        digests.append(hash((name, *(digests[operand] for operand in operands))))
    return digests[-1] if digests else 0


def _name_leaves(events: Sequence[Event]) -> dict[int, str]:
    """Return a name for every leaf and input that stays the same after an edit: op, variable name, and a counter."""
    seen: Counter[str] = Counter()
    names: dict[int, str] = {}
    for event in events:
        if isinstance(event, Create | View) and (event.op == "input" or (event.tensor.leaf and event.op != "grad")):
            kind = f"{event.op} {event.tensor.name}"
            names[event.tensor.id] = f"{kind} {seen[kind]}"
            seen[kind] += 1
    return names
