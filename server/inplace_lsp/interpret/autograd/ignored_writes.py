"""Writes through `.data` to the result of a node, and the backward passes whose gradients ignore them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.state.layout import Layout, are_disjoint
from inplace_lsp.interpret.state.values import Node, Tensor
from inplace_lsp.tape.model import When


@dataclass(frozen=True, slots=True)
class IgnoredWrite:
    """A write, to the region `layout` of the result of `node`, that its gradient ignores.

    Nodes with a number above `key` were created after it. `version` is the unchanged version of the counter.
    """

    key: int
    node: Node
    layout: Layout | None
    version: int
    when: When

    def is_passed(self, walked: Sequence[Node], start: Iterable[Node | Tensor]) -> bool:
        """Return whether a backward from `start` reaches the node through values computed after the write."""
        if not any(node is self.node for node in walked):
            return False
        shown = self._affected_nodes(walked)
        if any(id(edge) in shown for edge in start):
            return True
        later = (node for node in walked if node.id > self.key and not self._is_disjoint(node))
        return any(id(edge) in shown for node in later for edge in node.edges)

    def _affected_nodes(self, walked: Sequence[Node]) -> set[int]:
        """Return the ids of the node and of the earlier views that the write affects."""
        shown = {id(self.node)}
        for view in sorted(walked, key=lambda node: node.id):
            if self.node.id < view.id < self.key and view.shows is not None and not self._is_disjoint(view):
                shown.update(id(view) for edge in view.edges if id(edge) in shown)
        return shown

    def _is_disjoint(self, node: Node) -> bool:
        """Return whether the node made a view of other elements than those written."""
        layout = node.shows.layout if node.shows is not None else None
        return layout is not None and self.layout is not None and are_disjoint(layout, self.layout)
