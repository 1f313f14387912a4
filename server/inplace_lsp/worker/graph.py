"""The nodes of autograd's graph: their saves, and which of them torch would have freed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Generic, Protocol, TypeAlias, TypeVar

import torch
from torch.autograd.function import BackwardCFunction

if TYPE_CHECKING:
    from torch.autograd.graph import GradientEdge, Node

Roots: TypeAlias = "torch.Tensor | GradientEdge | Iterable[torch.Tensor | GradientEdge]"
"""What a backward starts from."""


class SaveOfNode(Protocol):
    """A save, which learns its node and role when the graph is read."""

    node: Node | None
    role: str


Kept = TypeVar("Kept", bound=SaveOfNode)


class Nested(Protocol[Kept]):
    """Knows the saves of nodes that lie inside others and cannot be asked."""

    inner: dict[Node, list[Kept]]


class Unpacking(Protocol[Kept]):
    """Reports to `on_unpack`, while set, what is unpacked. `reading`: nobody computes anything with it."""

    on_unpack: Callable[[Kept], None] | None
    reading: bool


class Graph(Generic[Kept]):
    """Nodes get a number when they are first met. `executed` are those that some walk has run."""

    def __init__(self, recording: Nested[Kept], saves: Unpacking[Kept]) -> None:
        self._recording = recording
        self._saves = saves
        self.numbers: dict[Node, int] = {}
        self.executed: set[Node] = set()
        self._kept: dict[Node, list[Kept]] = {}
        self._holding: set[Node] = set()
        self._freed: set[Node] = set()

    def learn_reachable(self, roots: Iterable[Node]) -> list[Node]:
        """Return all nodes reachable from `roots`, after learning the new ones."""
        nodes = list(reachable_nodes(roots))
        for node in nodes:
            if node not in self.numbers:
                self._learn_node(node)
        return nodes

    def saves_of(self, node: Node) -> list[Kept]:
        """Return the saves of `node` that can be read."""
        return self._kept[node]

    def free_node(self, node: Node) -> bool:
        """Free `node` after a backward that did not retain the graph; return whether it held anything."""
        if node in self._holding:
            self._freed.add(node)
        return node in self._holding

    def is_freed(self, node: Node) -> bool:
        """Return whether torch would have freed the saves of `node`."""
        return node in self._freed

    def fails_at_once(self, node: Node) -> bool:
        """Return whether running `node` again raises. A custom `autograd.Function` raises only when it asks for its
        saves."""
        return node in self._freed and not isinstance(node, BackwardCFunction)

    def _learn_node(self, node: Node) -> None:
        """Find the saves of `node` and their roles, and whether it holds any tensor at all."""
        self.numbers[node] = len(self.numbers) + 1
        self._kept[node] = []
        if "CopySlices" in node.name():
            self._holding.add(node)
        for kept in self._recording.inner.get(node, []):  # a node inside a CopySlices cannot be asked
            kept.node = node
            self._kept[node].append(kept)
        if isinstance(node, BackwardCFunction):
            self._read_saves(node, "saved_tensors", "saved_tensors")
            return
        for name in dir(node):
            if name.startswith("_raw_saved_"):
                self._read_saves(node, name.removeprefix("_raw"), name.removeprefix("_raw_saved_"))

    def _read_saves(self, node: Node, attribute: str, role: str) -> None:
        """Read a saved attribute of `node`; what passes the hooks meanwhile are its saves."""
        heard: list[Kept] = []
        before, self._saves.on_unpack = self._saves.on_unpack, heard.append
        self._saves.reading = True
        try:
            value = getattr(node, attribute)
        except (RuntimeError, AttributeError):
            value = None
        finally:
            self._saves.on_unpack, self._saves.reading = before, False
        if value is not None and value != ():
            self._holding.add(node)
        for kept in heard:
            kept.node, kept.role = node, kept.role or role
            self._kept[node].append(kept)


def learn_saves(recording: Nested[Kept], saves: Unpacking[Kept], roots: Roots) -> None:
    """Let all saves that a backward from `roots` may need learn their nodes and roles."""
    with torch.no_grad():
        Graph(recording, saves).learn_reachable(nodes_of(roots))


def nodes_of(roots: Roots) -> list[Node]:
    """Return the nodes at which a backward from `roots` (tensors or gradient edges) starts."""
    found = []
    for root in [roots] if isinstance(roots, torch.Tensor) else roots:
        found.append(root.grad_fn if isinstance(root, torch.Tensor) else getattr(root, "node", None))
    return [node for node in found if node is not None]


def reachable_nodes(roots: Iterable[Node]) -> Iterator[Node]:
    """Yield all nodes reachable from `roots`, each once, in an order that depends on the graph alone."""
    seen: set[Node] = set()
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield node
        waiting.extend(following for following, _ in node.next_functions)
