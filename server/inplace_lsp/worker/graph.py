"""The nodes of autograd's graph: their saves, and which of them torch would have freed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import torch
from torch.autograd.function import BackwardCFunction

from inplace_lsp.worker.saves import SavedTensor


class Nested(Protocol):
    """Knows the saves of nodes that lie inside others and cannot be asked."""

    inner: dict[Any, list[Any]]


class Unpacking(Protocol):
    """Reports to `on_unpack`, while set, what is unpacked."""

    on_unpack: Any


class Graph:
    """Nodes get a number when they are first met. `executed` are those that some walk has run."""

    def __init__(self, recording: Nested, saves: Unpacking) -> None:
        self._recording = recording
        self._saves = saves
        self.numbers: dict[Any, int] = {}
        self.executed: set[Any] = set()
        self._kept: dict[Any, list[SavedTensor]] = {}
        self._holding: set[Any] = set()
        self._freed: set[Any] = set()

    def learn_reachable(self, roots: Iterable[Any]) -> list[Any]:
        """Return all nodes reachable from `roots`, after learning the new ones."""
        nodes = list(reachable_nodes(roots))
        for node in nodes:
            if node not in self.numbers:
                self._learn_node(node)
        return nodes

    def saves_of(self, node: Any) -> list[SavedTensor]:
        """Return the saves of `node` that can be read."""
        return self._kept[node]

    def free_node(self, node: Any) -> bool:
        """Free `node` after a backward that did not retain the graph; return whether it held anything."""
        if node in self._holding:
            self._freed.add(node)
        return node in self._holding

    def is_freed(self, node: Any) -> bool:
        """Return whether torch would have freed the saves of `node`."""
        return node in self._freed

    def fails_at_once(self, node: Any) -> bool:
        """Return whether running `node` again raises. A custom `autograd.Function` raises only when it asks for its
        saves."""
        return node in self._freed and not isinstance(node, BackwardCFunction)

    def _learn_node(self, node: Any) -> None:
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

    def _read_saves(self, node: Any, attribute: str, role: str) -> None:
        """Read a saved attribute of `node`; what passes the hooks meanwhile are its saves."""
        heard: list[SavedTensor] = []
        before, self._saves.on_unpack = self._saves.on_unpack, heard.append
        try:
            value = getattr(node, attribute)
        except (RuntimeError, AttributeError):
            value = None
        finally:
            self._saves.on_unpack = before
        if value is not None and value != ():
            self._holding.add(node)
        for kept in heard:
            kept.node, kept.role = node, kept.role or role
            self._kept[node].append(kept)


def nodes_of(roots: Any) -> list[Any]:
    """Return the nodes at which a backward from `roots` (tensors or gradient edges) starts."""
    found = []
    for root in [roots] if isinstance(roots, torch.Tensor) else roots:
        found.append(root.grad_fn if isinstance(root, torch.Tensor) else getattr(root, "node", None))
    return [node for node in found if node is not None]


def reachable_nodes(roots: Iterable[Any]) -> Iterator[Any]:
    """Yield all nodes reachable from `roots`, each once, in an order that depends on the graph alone."""
    seen, waiting = set(), list(roots)
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield node
        waiting.extend(following for following, _ in node.next_functions)
