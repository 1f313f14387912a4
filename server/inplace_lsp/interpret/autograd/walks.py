"""The nodes of the graph that a backward pass runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence, Set
from operator import attrgetter
from typing import TypeAlias

from inplace_lsp.interpret.state.values import Node, Tensor

Sources: TypeAlias = Callable[[Node], Sequence[Node | Tensor]]
"""What leads from a node to those it was computed from."""
_get_edges: Sources = attrgetter("edges")


def find_reachable(
    start: Iterable[Node | Tensor], find_sources: Sources = _get_edges
) -> tuple[list[Node], list[Tensor]]:
    """Return the nodes and the leaves reachable from `start`."""
    nodes: dict[int, Node] = {}
    leaves: dict[int, Tensor] = {}
    stack = list(start)
    while stack:
        item = stack.pop()
        if isinstance(item, Tensor):
            leaves[item.id] = item
        elif item.id not in nodes:
            nodes[item.id] = item
            stack.extend(find_sources(item))
    return list(nodes.values()), list(leaves.values())


def leads_through(start: Node, op: str) -> bool:
    """Return whether a node of `op` is reachable from `start`."""
    return any(node.op == op for node in find_reachable([start])[0])


def leads_only_to(start: Node | None, leaf: Tensor, trained: Set[str]) -> bool:
    """Return whether `leaf` is all that is reachable from `start`, but for values of which nothing says that they are
    tensors: a factor from a configuration has no graph. `trained`: the inputs whose gradient the program requests."""
    reached = find_reachable([start])[1] if start is not None else []
    return any(each.id == leaf.id for each in reached) and all(
        each.id == leaf.id or _is_only_assumed(each, trained) for each in reached
    )


def _is_only_assumed(leaf: Tensor, trained: Set[str]) -> bool:
    """Return whether a leaf may as well be a number."""
    needs = leaf.requires_grad
    return leaf.assumed and not leaf.evident and not needs.always and trained.isdisjoint(needs.inputs)


def nodes_leading_to(nodes: Sequence[Node], targets: Sequence[Node | Tensor]) -> list[Node]:
    """Return the nodes with a path to one of `targets`, which a backward to them runs."""
    wanted = {id(target) for target in targets}
    leads: set[int] = set()
    for node in sorted(nodes, key=lambda n: n.id):  # edges lead to older nodes
        if any(id(edge) in wanted or id(edge) in leads for edge in node.edges):
            leads.add(id(node))
    return [node for node in nodes if id(node) in leads]


def find_surely_reachable(start: Iterable[Node | Tensor], nodes: Sequence[Node]) -> Set[Node]:
    """Return those of `nodes` that a backward from `start` certainly reaches.

    Several results of one unseen call may have separate graphs: a backward through another result may have released its
    graph without touching this one. If a result goes into the same network again, its graph also belongs to the other
    results. A function without source may also return its argument detached (`repackage(hidden)`).
    """
    if not any(node.freed for node in nodes):
        return frozenset(nodes)
    sure: set[Node] = set()
    stack = list(start)
    while stack:
        item = stack.pop()
        if isinstance(item, Node) and item not in sure:
            sure.add(item)
            if item.may_cut and not item.freed:
                continue
            edges = item.edges if item.freed or not item.part else _reused_network(item, nodes)
            stack.extend(edges if item.freed or not item.unsure else [e for e in edges if e not in item.unsure])
    return sure


def _reused_network(part: Node, nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes of the network that made `part`, if it runs again in a graph that is not released."""
    weights = {edge for node in nodes if not node.freed for edge in node.edges if isinstance(edge, Tensor)}
    made_by = (edge for edge in part.edges if isinstance(edge, Node))
    return [node for node in made_by if not weights.isdisjoint(node.edges)]


_KEEPS_EXPANDED = frozenset({"t", "transpose", "permute", "unsqueeze", "squeeze", "mT"})
"""Views whose gradient is the one they are given, seen in another order of its dimensions."""


def is_summed(node: Node | Tensor, walked: Sequence[Node]) -> bool:
    """Return whether the result of `node` goes straight into a sum: its gradient is one element then, expanded."""
    following = [user for user in walked if any(edge is node for edge in user.edges)]
    if len(following) != 1:
        return False
    op = following[0].op
    return op == "sum" or ((op == "add" or op in _KEEPS_EXPANDED) and is_summed(following[0], walked))
