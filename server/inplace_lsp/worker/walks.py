"""Backward: which nodes it runs, what it finds there, and what it frees.

Every walk of the recorded run keeps the graph (`retain_graph=True`), so that one violation does not hide the next; what
torch would have freed is remembered instead.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch

from inplace_lsp.tape.autograd import KEPT_ON_CTX
from inplace_lsp.tape.model import Backward, Check, Event, Free, Span
from inplace_lsp.worker.graph import Graph, Roots, nodes_of
from inplace_lsp.worker.ignored_writes import IgnoredWrites
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.recording import Recording
from inplace_lsp.worker.saved_tensor import SavedTensor
from inplace_lsp.worker.saves import Saves
from inplace_lsp.worker.shared_gradients import Gradients, SharedGradients

if TYPE_CHECKING:
    from torch._C import _ImperativeEngine as ImperativeEngine
    from torch.autograd.graph import Node


class Walks:
    """Watches every backward."""

    def __init__(self, recording: Recording, saves: Saves, ignored_writes: IgnoredWrites) -> None:
        self.recording = recording
        self.ignored_writes = ignored_writes
        self.graph = Graph(recording, saves)
        self._saves = saves
        self._engine = torch.autograd.Variable._execution_engine
        self._count = 0

    @contextmanager
    def watch_engine(self) -> Iterator[None]:
        """Stand between torch and its engine."""
        torch.autograd.Variable._execution_engine = _Engine(self._engine, self._run_walk)
        try:
            yield
        finally:
            torch.autograd.Variable._execution_engine = self._engine

    def _run_walk(
        self, roots: Roots, grads: object, retain: bool, create: bool, inputs: object, *rest: object, **options: object
    ) -> object:
        """Run a backward: `torch.autograd.backward` and `torch.autograd.grad` both come through here."""
        self.recording.begin_walk()
        with modes_off():
            self.recording.settle_log()
            starts = nodes_of(roots)
            walk = _Walk(self, starts, self.recording.current_span(), self._new_key(), bool(retain))
            by_verify = not self.recording.places.own_frames()
            self.recording.log.add(Backward(walk.span, walk.key, walk.retain, by_verify=by_verify))
            nodes = self.graph.learn_reachable(starts)
        hooks = [node.register_prehook(walk.on_node(node)) for node in nodes]
        if self.recording.hooks_gradients:
            hooks += [node.register_hook(walk.shared_gradients.note_given(node)) for node in nodes]
        before, self._saves.on_unpack = self._saves.on_unpack, walk.on_unpack
        try:
            made = self._engine.run_backward(roots, grads, True, create, inputs, *rest, **options)
            if create:
                self.recording.gradients.update(nodes_of(gradient for gradient in made or () if gradient is not None))
            return made
        finally:
            self._saves.on_unpack = before
            for hook in hooks:
                hook.remove()
            with modes_off():
                self.recording.settle_log()
            walk.finish_walk()

    def assume_walk(self, tensors: Iterable[torch.Tensor], span: Span) -> tuple[list[Node], list[Event]]:
        """Return the root nodes and the events of a backward that a caller may start later through `tensors`, as it
        would find things now."""
        roots, key = nodes_of(tensors), self._new_key()
        events: list[Event] = [Backward(span, key, False, assumed=True)]
        nodes = self.graph.learn_reachable(roots)
        for node in nodes:
            if not self.graph.is_freed(node):
                saves = self.graph.saves_of(node)
                events += [check_save(kept, span, key) for kept in saves if not kept.handed_out]
        return roots, [*events, *self.ignored_writes.checks_of_walk(nodes, roots, span, key)]

    def _new_key(self) -> int:
        self._count += 1
        return self._count


class _Engine:
    """torch's engine, with our own way to start a walk. `backward` and `grad` of every torch release call it."""

    def __init__(self, engine: ImperativeEngine, run: Callable[..., object]) -> None:
        self._engine = engine
        self.run_backward = run

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)


class _Walk:
    """A backward while it runs."""

    def __init__(self, walks: Walks, starts: list[Node], span: Span, key: int, retain: bool) -> None:
        self._graph = walks.graph
        self._ignored_writes = walks.ignored_writes
        self._starts = starts
        self._recording = walks.recording
        self._log = walks.recording.log
        self.span = span
        self.key = key
        self.retain = retain
        self._ran: list[Node] = []
        self.shared_gradients = SharedGradients(walks.recording, span, key, walks.graph.numbers)

    def on_node(self, node: Node) -> Callable[[Gradients], None]:
        """Return the hook that torch calls just before it runs `node`."""

        def before(gradients: Gradients) -> None:
            self._ran.append(node)
            self.shared_gradients.check_received(node, gradients)
            for kept in self._graph.saves_of(node):
                if kept.role.startswith(KEPT_ON_CTX):
                    with modes_off():
                        self._log.add(check_save(kept, self.span, self.key))
            if self._graph.fails_at_once(node):
                self._log_freed(next(iter(self._graph.saves_of(node)), None))

        return before

    def on_unpack(self, kept: SavedTensor) -> None:
        """Check a save that a node unpacks."""
        if kept.node is not None and self._graph.is_freed(kept.node):
            self._log_freed(kept)
        else:
            check = check_save(kept, self.span, self.key)
            if check.found_version != kept.version:
                self._recording.note_refused(kept.span)
            self._log.add(check)

    def finish_walk(self) -> None:
        """Free what the backward has run, as torch does unless the graph is retained."""
        self._graph.executed.update(self._ran)
        with modes_off():
            for check in self._ignored_writes.checks_of_walk(self._ran, self._starts, self.span, self.key):
                self._log.add(check)
        for node in self._ran:
            if not self.retain and self._graph.free_node(node):
                self._log.add(Free(self.span, self._graph.numbers[node], self.key))

    def _log_freed(self, kept: SavedTensor | None) -> None:
        self._recording.note_refused(kept.span if kept else self.span)
        version = kept.version if kept else 0
        self._log.add(Check(self.span, kept.key if kept else -1, self.key, version, freed=True))


def check_save(kept: SavedTensor, span: Span, key: int) -> Check:
    """Return what backward `key` finds when it unpacks `kept`."""
    found, changed = kept.compare_with_saved()
    return Check(span, kept.key, key, found, changed=changed)
