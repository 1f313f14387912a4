"""Which nodes of the graph a walk runs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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


_KEEPS_EXPANDED = frozenset({"t", "transpose", "permute", "unsqueeze", "squeeze", "mT"})
"""Views whose gradient is the one they are given, seen in another order of its dimensions."""


def is_summed(node: Node | Tensor, walked: Sequence[Node]) -> bool:
    """Whether `node`, or the result of it, goes into a sum as it is: its gradient is one element then, expanded."""
    following = [one for one in walked if any(edge is node for edge in one.edges)]
    if len(following) != 1:
        return False
    op = following[0].op
    return op == "sum" or ((op == "add" or op in _KEEPS_EXPANDED) and is_summed(following[0], walked))
