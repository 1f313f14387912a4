"""The nodes of autograd's graph: what each keeps, and what torch would have freed of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import torch
from torch.autograd.function import BackwardCFunction

from inplace_lsp.worker.saves import Kept


class Nested(Protocol):
    """Knows what nodes keep that lie inside others and cannot be asked."""

    inner: dict[Any, list[Any]]


class Unpacking(Protocol):
    """Tells, while `on_unpack` is set, what is taken back."""

    on_unpack: Any


class Graph:
    """Nodes get a number when they are first met. `executed` are those that some walk has run."""

    def __init__(self, session: Nested, saves: Unpacking) -> None:
        self._session = session
        self._saves = saves
        self.numbers: dict[Any, int] = {}
        self.executed: set[Any] = set()
        self._kept: dict[Any, list[Kept]] = {}
        self._holding: set[Any] = set()
        self._freed: set[Any] = set()

    def reach(self, roots: Iterable[Any]) -> list[Any]:
        """All nodes from `roots` on, each one known by now."""
        nodes = list(reachable(roots))
        for node in nodes:
            if node not in self.numbers:
                self._learn(node)
        return nodes

    def kept_by(self, node: Any) -> list[Kept]:
        """What `node` keeps, as far as it can be asked."""
        return self._kept[node]

    def free(self, node: Any) -> bool:
        """A walk that does not retain the graph has run `node`; whether it held anything."""
        if node in self._holding:
            self._freed.add(node)
        return node in self._holding

    def is_freed(self, node: Any) -> bool:
        """Whether torch would have freed what `node` holds."""
        return node in self._freed

    def fails_at_once(self, node: Any) -> bool:
        """Whether running `node` again raises. A custom `autograd.Function` does so only if it asks for its saves."""
        return node in self._freed and not isinstance(node, BackwardCFunction)

    def _learn(self, node: Any) -> None:
        """Find out which saves belong to `node` and in which role, and whether it holds any tensor at all."""
        self.numbers[node] = len(self.numbers) + 1
        self._kept[node] = []
        if "CopySlices" in node.name():
            self._holding.add(node)
        for kept in self._session.inner.get(node, []):  # a node inside a CopySlices cannot be asked
            kept.node = node
            self._kept[node].append(kept)
        if isinstance(node, BackwardCFunction):
            self._ask(node, "saved_tensors", "saved_tensors")
            return
        for name in dir(node):
            if name.startswith("_raw_saved_"):
                self._ask(node, name.removeprefix("_raw"), name.removeprefix("_raw_saved_"))

    def _ask(self, node: Any, attribute: str, role: str) -> None:
        """Read one saved attribute of `node`; what comes through the hooks meanwhile is what it keeps."""
        heard: list[Kept] = []
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
    """The nodes at which a walk from `roots` (tensors or gradient edges) starts."""
    found = []
    for root in [roots] if isinstance(roots, torch.Tensor) else roots:
        found.append(root.grad_fn if isinstance(root, torch.Tensor) else getattr(root, "node", None))
    return [node for node in found if node is not None]


def reachable(roots: Iterable[Any]) -> Iterator[Any]:
    """All nodes from `roots` on, each once, in an order that depends on nothing but the graph."""
    seen, waiting = set(), list(roots)
    while waiting:
        node = waiting.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        yield node
        waiting.extend(following for following, _ in node.next_functions)
