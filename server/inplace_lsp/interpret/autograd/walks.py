"""Which nodes of the graph a walk runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set

from inplace_lsp.interpret.state.values import Node, Tensor


def reachable(start: Iterable[Node | Tensor]) -> tuple[list[Node], list[Tensor]]:
    """The nodes and the leaves that a walk from `start` comes to."""
    nodes: dict[int, Node] = {}
    leaves: dict[int, Tensor] = {}
    stack = list(start)
    while stack:
        item = stack.pop()
        if isinstance(item, Tensor):
            leaves[item.id] = item
        elif item.id not in nodes:
            nodes[item.id] = item
            stack.extend(item.edges)
    return list(nodes.values()), list(leaves.values())


def leads_through(start: Node, op: str) -> bool:
    """Whether a walk from `start` comes to a node of `op`."""
    return any(node.op == op for node in reachable([start])[0])


def leading_to(nodes: Sequence[Node], targets: Sequence[Node | Tensor]) -> list[Node]:
    """The nodes a walk to `targets` runs: those with a path to one of them."""
    wanted = {id(target) for target in targets}
    leads: set[int] = set()
    for node in sorted(nodes, key=lambda n: n.id):  # edges lead to older nodes
        if any(id(edge) in wanted or id(edge) in leads for edge in node.edges):
            leads.add(id(node))
    return [node for node in nodes if id(node) in leads]


def surely_reachable(start: Iterable[Node | Tensor], nodes: Sequence[Node]) -> Set[Node]:
    """Those of `nodes` that a walk from `start` comes to even if several things that unseen code gave at once have
    graphs of their own: another of them may have been walked and released what is behind it, and this one need not
    come there. What goes into the same network again has a graph that its other results have, too. And a function that
    nobody sees may have handed back what it was given without its graph (`repackage(hidden)`).
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
            stack.extend(item.edges if item.freed or not item.part else _used_again(item, nodes))
    return sure


def _used_again(part: Node, nodes: Sequence[Node]) -> list[Node]:
    """The nodes of the network that made `part`, if that network runs once more in a graph that nobody has walked."""
    weights = {edge for node in nodes if not node.freed for edge in node.edges if isinstance(edge, Tensor)}
    made_by = (edge for edge in part.edges if isinstance(edge, Node))
    return [node for node in made_by if not weights.isdisjoint(node.edges)]


_KEEPS_EXPANDED = frozenset({"t", "transpose", "permute", "unsqueeze", "squeeze", "mT"})
"""Views whose gradient is the one they are given, seen in another order of its dimensions."""


def is_summed(node: Node | Tensor, walked: Sequence[Node]) -> bool:
    """Whether `node`, or the result of it, goes into a sum as it is: its gradient is one element then, expanded."""
    following = [one for one in walked if any(edge is node for edge in one.edges)]
    if len(following) != 1:
        return False
    op = following[0].op
    return op == "sum" or ((op == "add" or op in _KEEPS_EXPANDED) and is_summed(following[0], walked))
