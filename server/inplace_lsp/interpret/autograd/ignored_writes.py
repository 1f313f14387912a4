"""Writes through `.data` to what a node has made: which walks come from what was computed with the new values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from inplace_lsp.interpret.state.layout import Layout, apart
from inplace_lsp.interpret.state.values import Node, Tensor
from inplace_lsp.tape.model import When


@dataclass(frozen=True, slots=True)
class IgnoredWrite:
    """A write, to the region `layout` of what `node` made, that its gradient ignores.

    Nodes with a greater number than `key` were made after it. `version` is the one that the counter stays at.
    """

    key: int
    node: Node
    layout: Layout | None
    version: int
    when: When

    def is_passed(self, walked: Sequence[Node], start: Iterable[Node | Tensor]) -> bool:
        """Whether a walk from `start` comes to the node from what was computed after the write."""
        if not any(one is self.node for one in walked):
            return False
        shown = self._views(walked)
        if any(id(one) in shown for one in start):
            return True
        later = (one for one in walked if one.id > self.key and not self._is_beside(one))
        return any(id(edge) in shown for one in later for edge in one.edges)

    def _views(self, walked: Sequence[Node]) -> set[int]:
        """The node and, of the views that were made before the write, those that it reaches."""
        shown = {id(self.node)}
        for one in sorted(walked, key=lambda node: node.id):
            if self.node.id < one.id < self.key and one.shows is not None and not self._is_beside(one):
                shown.update(id(one) for edge in one.edges if id(edge) in shown)
        return shown

    def _is_beside(self, node: Node) -> bool:
        """Whether the node made a view of other elements than those that were written."""
        layout = node.shows.layout if node.shows is not None else None
        return layout is not None and self.layout is not None and apart(layout, self.layout)
