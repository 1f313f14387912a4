"""Backward: which nodes it runs, what it finds there, and what it frees.

Every walk of the recorded run keeps the graph (`retain_graph=True`), so that one violation does not hide the next; what
torch would have freed is remembered instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction

from inplace_lsp.tape.model import Backward, Check, Event, Free, Span
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.saves import Kept, Saves
from inplace_lsp.worker.session import Session


class Walks:
    """Watches the walks of the graph."""

    def __init__(self, session: Session, saves: Saves) -> None:
        self._session = session
        self._saves = saves
        self._engine = torch.autograd.Variable._execution_engine
        self.numbers: dict[Any, int] = {}
        self._kept: dict[Any, list[Kept]] = {}
        self._holds: dict[Any, bool] = {}
        self._freed: set[Any] = set()
        self.executed: set[Any] = set()
        self._backwards = 0
        saves.on_unpack = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Stand between torch and its engine."""
        torch.autograd.Variable._execution_engine = _Engine(self._engine, self._run)
        try:
            yield
        finally:
            torch.autograd.Variable._execution_engine = self._engine

    def _run(self, roots: Any, grads: Any, retain: bool, create: bool, inputs: Any, *rest: Any, **options: Any) -> Any:
        """One walk: `torch.autograd.backward` and `torch.autograd.grad` both come through here."""
        with modes_off():
            self._session.settle()
            span, key = self._session.here(), self._new_key()
            self._session.log.add(Backward(span, key, bool(retain)))
            nodes = list(self.reachable(_nodes_of(roots)))
            for node in nodes:
                self.learn(node)
        walk = _Walk(self, span, key)
        hooks = [node.register_prehook(walk.on_node(node)) for node in nodes]
        before, self._saves.on_unpack = self._saves.on_unpack, walk.on_unpack
        try:
            return self._engine.run_backward(roots, grads, True, create, inputs, *rest, **options)
        finally:
            self._saves.on_unpack = before
            for hook in hooks:
                hook.remove()
            with modes_off():
                self._session.settle()
            self._end(walk, bool(retain))

    def _end(self, walk: _Walk, retain: bool) -> None:
        self.executed.update(walk.ran)
        for node in walk.ran:
            if not retain and self._holds.get(node):
                self._freed.add(node)
                self._session.log.add(Free(walk.span, self.numbers[node], walk.key))

    def assumed(self, tensors: Iterable[torch.Tensor], span: Span) -> tuple[Any, list[Event]]:
        """The walk that a caller may start later through `tensors`, as it would find things now; and its root nodes."""
        roots = _nodes_of(tensors)
        key = self._new_key()
        events: list[Event] = [Backward(span, key, False, assumed=True)]
        for node in self.reachable(roots):
            self.learn(node)
            if node not in self._freed:
                events += [self.check(kept, span, key) for kept in self._kept[node]]
        return roots, events

    def check(self, kept: Kept, span: Span, key: int) -> Check:
        """What a walk finds when it takes back `kept`."""
        found, changed = kept.found()
        return Check(span, kept.key, key, found, changed=changed)

    def is_freed(self, node: Any) -> bool:
        """Whether torch would have freed what `node` holds."""
        return node in self._freed

    def is_own_function(self, node: Any) -> bool:
        """Whether it is a custom `autograd.Function`: it fails on a second walk only if it asks for its saves."""
        return isinstance(node, BackwardCFunction)

    def kept_by(self, node: Any) -> list[Kept]:
        """What `node` keeps, as far as it can be asked."""
        return self._kept.get(node, [])

    def learn(self, node: Any) -> None:
        """Find out which saves belong to `node` and in which role, and whether it holds any tensor at all."""
        if node in self.numbers:
            return
        self.numbers[node] = len(self.numbers) + 1
        self._kept[node] = []
        self._holds[node] = "CopySlices" in node.name()
        names = (
            ["saved_tensors"] if self.is_own_function(node) else [one for one in dir(node) if one.startswith("_raw_")]
        )
        for kept in self._session.inner.get(node, []):  # a node inside a CopySlices cannot be asked
            kept.node = node
            self._kept[node].append(kept)
        for name in names:
            self._ask(node, name.removeprefix("_raw_saved_").removeprefix("_"))

    def _ask(self, node: Any, role: str) -> None:
        """Read one saved attribute of `node`; what comes through the hooks meanwhile is what it keeps."""
        heard: list[Kept] = []
        before, self._saves.on_unpack = self._saves.on_unpack, heard.append
        try:
            value = getattr(node, role if role == "saved_tensors" else f"_saved_{role}")
        except (RuntimeError, AttributeError):
            value = None
        finally:
            self._saves.on_unpack = before
        if value is not None and value != ():
            self._holds[node] = True
        for kept in heard:
            kept.node, kept.role = node, kept.role or role
            self._kept[node].append(kept)

    def reachable(self, roots: Iterable[Any]) -> Iterator[Any]:
        """All nodes of the graph from `roots` on."""
        seen, waiting = set(), list(roots)
        while waiting:
            node = waiting.pop()
            if node is None or node in seen:
                continue
            seen.add(node)
            yield node
            waiting.extend(following for following, _ in node.next_functions)

    def log(self, event: Event) -> None:
        """Put `event` on the tape."""
        self._session.log.add(event)

    def _new_key(self) -> int:
        self._backwards += 1
        return self._backwards


class _Engine:
    """torch's engine, with our own way to start a walk. `backward` and `grad` of every torch release call it."""

    def __init__(self, engine: Any, run: Any) -> None:
        self._engine = engine
        self.run_backward = run

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)


class _Walk:
    """One walk while it runs."""

    def __init__(self, walks: Walks, span: Span, key: int) -> None:
        self._walks = walks
        self.span = span
        self.key = key
        self.ran: list[Any] = []

    def on_node(self, node: Any) -> Any:
        """The hook that torch calls just before it runs `node`."""

        def before(_gradients: Any) -> None:
            self.ran.append(node)
            if self._walks.is_freed(node) and not self._walks.is_own_function(node):
                self._log_freed(next(iter(self._walks.kept_by(node)), None))

        return before

    def on_unpack(self, kept: Kept) -> None:
        """A node takes back what it kept."""
        if kept.node is not None and self._walks.is_freed(kept.node):
            self._log_freed(kept)
        else:
            self._walks.log(self._walks.check(kept, self.span, self.key))

    def _log_freed(self, kept: Kept | None) -> None:
        version = kept.version if kept else 0
        self._walks.log(Check(self.span, kept.key if kept else -1, self.key, version, freed=True))


def _nodes_of(roots: Any) -> list[Any]:
    """The nodes at which a walk from `roots` (tensors or gradient edges) starts."""
    found = []
    for root in [roots] if isinstance(roots, torch.Tensor) else roots:
        found.append(root.grad_fn if isinstance(root, torch.Tensor) else getattr(root, "node", None))
    return [node for node in found if node is not None]
