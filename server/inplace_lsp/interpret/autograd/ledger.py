"""The ledger of a run: the gradients that reach each parameter before a step reads them, and the values that leave the
run.

A recorder keeps one only on request: it serves to compare repairs and is not needed for findings. A run with a ledger
assumes that every write means what its author intended: where torch refuses one, the run goes on as if it had been
done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from inplace_lsp.interpret.autograd.walks import find_reachable
from inplace_lsp.interpret.state.values import Instance, Node, Tensor, Value
from inplace_lsp.tape.autograd import Rejection, find_rejection
from inplace_lsp.tape.model import Create, Event, View, Write
from inplace_lsp.tape.training import Chain, Gradient, Step, Training, order_chains

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
_MOVES = frozenset(
    "CopySlices copy clone contiguous reshape flatten to float double half bfloat16 type view as_strided repeat "
    "fill zero".split()
)
"""Ops that only copy: those that make a view are known by their nodes."""
_UNKNOWN = "unknown"
"""What nobody has seen: when it used what it was given, nobody knows, and so not what that had been made of."""


class _Graph(NamedTuple):
    """The ops that computed a value and the ids of its leaves. `shapes` describes the graph unless the value was
    assembled: every node comes after those that it leads to, with the positions of these."""

    ops: tuple[tuple[str, int], ...]
    leaves: frozenset[int]
    assembled: bool
    shapes: tuple[_Shape, ...] = ()


_Shape = tuple[str | int, tuple[int, ...]]
"""The op of a node, or the id of a leaf, and where its operands stand."""


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
        self._gradients: dict[int, list[_Graph]] = {}
        self._leaves: dict[int, Tensor] = {}
        self._steps: list[list[tuple[Tensor, list[_Graph]]]] = []
        self._returned: list[_Graph] = []
        self._asked: list[_Graph] = []
        self._object: Value | None = None
        self._changed: list[Tensor] = []

    def close_run(self, events: Sequence[Event]) -> None:
        """End the run; its tape gives the names of its leaves."""
        names = _name_leaves(events)
        moved = {leaf.id for step in self._steps for leaf, _ in step}
        left = (leaf for leaf in self._leaves.values() if leaf.id not in moved)
        steps = tuple(_name_step(step, names) for step in (*self._steps, self._read_gradients(left)))
        handed_out = (*self._returned, *self._asked, *_describe_each(_tensors_of(self._object)))
        changed = _describe_each(tensor for tensor in self._changed if tensor.id in names)
        self.runs.append(
            Training(
                steps,
                frozenset(_name_graph(graph, names) for graph in handed_out),
                frozenset(_name_graph(graph, names) for graph in changed),
            )
        )

    def is_update(self, write: Write) -> bool:
        """Return whether the write is refused because its target is a leaf, and is meant to keep it one."""
        refused = find_rejection(write) if self._updates_leaves else None
        of_leaf = write.tensor.base is not None and write.tensor.base_leaf
        return refused is not None and (refused[0] in _OF_LEAVES or (refused[0] in _OF_VIEWS and of_leaf))

    def note_gradient(self, leaf: Tensor, start: Iterable[Node | Tensor]) -> None:
        """Note that a backward from `start` has added to the gradient of `leaf`."""
        if isinstance(leaf.grad, Tensor):
            self._gradients.setdefault(leaf.grad.id, []).append(_describe_graph(start))
            self._leaves[leaf.id] = leaf

    def note_write(self, tensor: Tensor, op: str) -> None:
        """Forget a gradient that is filled with zeros."""
        if op in _CLEARS:
            self._gradients.pop(tensor.id, None)

    def note_step(self, parameters: Iterable[Tensor]) -> None:
        """Note that a step has read the gradients of these parameters."""
        self._steps.append(self._read_gradients(parameters))

    def _read_gradients(self, leaves: Iterable[Tensor]) -> list[tuple[Tensor, list[_Graph]]]:
        found = [(leaf, leaf.grad) for leaf in leaves]
        return [(leaf, list(self._gradients.get(grad.id, ()))) for leaf, grad in found if isinstance(grad, Tensor)]

    def note_handed_out(self, start: Iterable[Node | Tensor]) -> None:
        """Note that a backward from `start` has returned gradients."""
        self._asked.append(_describe_graph(start))

    def note_returned(self, start: Iterable[Node | Tensor]) -> None:
        """Note that a value with the graph behind `start` was returned. Only the last one leaves the run, and only if
        the run has a caller: those of inner calls come first."""
        self._returned = [] if self.is_program else [_describe_graph(start)]

    def note_object(self, value: Value | None) -> None:
        """Note that the run is a method of this object: its attributes leave the run at the end."""
        self._object = value

    def note_changed(self, tensor: Tensor) -> None:
        """Note that the run has written to a tensor argument, which may be a leaf for its caller."""
        if not self._updates_leaves:
            self._changed.append(tensor)


def _tensors_of(value: Value | None) -> list[Tensor]:
    attributes = value.attributes.values() if isinstance(value, Instance) else ()
    return [tensor for tensor in attributes if isinstance(tensor, Tensor) and not tensor.parameter]


def _describe_each(tensors: Iterable[Tensor]) -> list[_Graph]:
    return [_describe_graph([tensor.node]) for tensor in tensors if tensor.node is not None]


def _name_step(step: Iterable[tuple[Tensor, list[_Graph]]], names: dict[int, str]) -> Step:
    return frozenset(
        Gradient(names.get(leaf.id, leaf.name), order_chains(_name_graph(graph, names) for graph in graphs))
        for leaf, graphs in step
        if graphs
    )


def _describe_graph(start: Iterable[Node | Tensor]) -> _Graph:
    """Return the ops that compute, the leaves, and whether anything was assembled."""
    start = list(start)
    reached, leaves = find_reachable(start, _find_sources)
    nodes = sorted(reached, key=lambda node: node.id)  # the oldest first
    computing = [node for node in nodes if not _is_transparent(node)]
    ops = Counter(op for op in map(_name_op, computing) if op not in _ASSEMBLES)
    found = frozenset(leaf.id for leaf in leaves)
    if _UNKNOWN in ops:
        return _Graph(((_UNKNOWN, 1),), found, assembled=False)
    assembled = any(_fills_part(node) or _name_op(node) in _ASSEMBLES for node in nodes)
    is_pieced = assembled or any(node.op == _PIECED for node in nodes)
    return _Graph(tuple(sorted(ops.items())), found, assembled, () if is_pieced else _draw_shapes(start, nodes, leaves))


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
