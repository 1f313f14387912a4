"""Gradients that a backward gives, in one memory, to several nodes: a hook on one of them that writes it changes all.

torch checks no version of a gradient. The recorder looks at each gradient when a node hands it on, and again when the
next node begins, whose hooks have run by then.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from typing import TYPE_CHECKING, TypeAlias

import torch

from inplace_lsp.tape.autograd import SHARED_GRADIENT
from inplace_lsp.tape.model import Check, Event, Save, Span
from inplace_lsp.worker.heap import storage_of, version_of
from inplace_lsp.worker.layouts import Layout, layout_of, share_element
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.recording import Recording
from inplace_lsp.worker.saves import op_of_node

if TYPE_CHECKING:
    from torch.autograd.graph import Node

Place: TypeAlias = "tuple[Node, int]"
"""An input of a node's backward, by its number: where a gradient arrives."""
Gradients: TypeAlias = "Sequence[torch.Tensor | None]"

_keys = count(2_000_000_000)
"""The keys of these saves, above those of all others."""


@dataclass(frozen=True)
class _Arrival:
    """A gradient when it was given to a node: its version, and which part of the memory it is."""

    version: int
    layout: Layout | None


@dataclass(eq=False)
class _Sharing:
    """A gradient that was given to several places. `written`: a hook has changed it for the others."""

    save: Save
    written: bool = False

    def list_events(self) -> list[Event]:
        """Return the save, if it matters."""
        return [self.save] if self.written else []


class SharedGradients:
    """Follows the gradients of one backward from node to node."""

    def __init__(self, recording: Recording, span: Span, backward: int, numbers: dict[Node, int]) -> None:
        self._recording = recording
        self._span = span
        self._backward = backward
        self._numbers = numbers
        self._arrived: dict[Place, int | None] = {}
        self._waiting: dict[int, dict[Place, _Arrival]] = defaultdict(dict)
        self._sharing: dict[int, _Sharing] = {}

    def note_given(self, node: Node) -> Callable[[Gradients, object], None]:
        """Return the hook that torch calls when `node` has run, with the gradients that it gives on."""

        def after(gradients: Gradients, _received: object) -> None:
            with modes_off():
                for gradient, place in zip(gradients, node.next_functions, strict=False):
                    if isinstance(gradient, torch.Tensor) and place[0] is not None:
                        self._note_arrival(node, gradient, place)

        return after

    def check_received(self, node: Node, gradients: Gradients) -> None:
        """Look at the gradients with which `node` begins: whether its hooks have written what others get, too."""
        for number, gradient in enumerate(gradients):
            memory = self._arrived.pop((node, number), None)
            if memory is None or not isinstance(gradient, torch.Tensor):
                continue
            given = self._waiting[memory].pop((node, number))
            sharing = self._sharing.get(memory)
            if sharing is None or not any(_may_share(given, other) for other in self._waiting[memory].values()):
                continue
            with modes_off():
                if _memory_of(gradient) == memory and version_of(gradient) > given.version:
                    sharing.written = True
                    self._recording.log.add(self._make_check(sharing.save))

    def _make_check(self, save: Save) -> Check:
        return Check(self._span, save.key, self._backward, save.tensor.version, changed=True)

    def _note_arrival(self, giver: Node, gradient: torch.Tensor, place: Place) -> None:
        memory = _memory_of(gradient)
        if place in self._arrived:  # torch adds it to the one before, in a memory of its own
            before = self._arrived[place]
            self._arrived[place] = None
            if before is not None:
                del self._waiting[before][place]
            return
        self._arrived[place] = memory
        if memory is None:
            return
        others = self._waiting[memory]
        if not others:  # a memory of before may have lain here
            self._sharing.pop(memory, None)
        others[place] = _Arrival(version_of(gradient), _find_layout(gradient))
        if len(others) > 1 and memory not in self._sharing:
            self._sharing[memory] = self._make_sharing(giver, gradient)

    def _make_sharing(self, giver: Node, gradient: torch.Tensor) -> _Sharing:
        key = next(_keys)
        state = replace(self._recording.state_of(gradient), counter=-key)
        number = self._numbers.get(giver, -key)
        sharing = _Sharing(Save(self._span, state, op_of_node(giver), SHARED_GRADIENT, key, number))
        self._recording.log.add_later(sharing.list_events)
        return sharing


def _find_layout(gradient: torch.Tensor) -> Layout | None:
    """Return where the elements lie; None for sparse and nested tensors."""
    try:
        return layout_of(gradient)
    except (RuntimeError, NotImplementedError):
        return None


def _may_share(first: _Arrival, second: _Arrival) -> bool:
    if first.layout is None or second.layout is None:
        return True
    with modes_off():
        return share_element(first.layout, second.layout)


def _memory_of(gradient: torch.Tensor) -> int | None:
    storage = storage_of(gradient)
    return None if storage is None else storage._cdata
