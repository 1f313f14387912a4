"""Writes through `.data` to the result of a node: noted when they happen, reported when a backward comes through what
was computed from the new values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch

from inplace_lsp.tape.autograd import AS_MADE, DATA, MASKING
from inplace_lsp.tape.model import ALWAYS, Check, Save, Span, Write
from inplace_lsp.worker.heap import Block, is_leaf, share_memory
from inplace_lsp.worker.layouts import layout_of, share_element
from inplace_lsp.worker.naming import Arguments
from inplace_lsp.worker.recording import Recording
from inplace_lsp.worker.saves import op_of_node

if TYPE_CHECKING:
    from torch._ops import OpOverload
    from torch.autograd.graph import Node

_SHIFTING = (
    *(torch.ops.aten.add.Tensor, torch.ops.aten.add.Scalar),
    *(torch.ops.aten.sub.Tensor, torch.ops.aten.sub.Scalar),
)
_FIRST_KEY = 1_000_000_000
"""The keys of saves proper begin at 1."""


@dataclass(frozen=True, eq=False)
class Draft:
    """A write to `tensor` that is about to happen: the nodes that made what it reaches, and the values before it."""

    tensor: torch.Tensor
    shown: tuple[torch.Tensor, ...]
    content: torch.Tensor


@dataclass(frozen=True, eq=False)
class _Note:
    """A write that has happened. `nodes` made the memory that it reached; those of a later consumer have a greater
    number than `sequence`."""

    save: Save
    maker: Node
    nodes: frozenset[Node]
    sequence: int
    written: torch.Tensor
    block: Block


class IgnoredWrites:
    """The writes of one run that no gradient knows of."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._notes: list[_Note] = []
        self._shifted: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def note_shifted_value(self, func: OpOverload, args: Arguments, result: torch.Tensor) -> None:
        """Remember the result of adding a constant to what `.data` leads to."""
        recording = self._recording
        if func not in _SHIFTING or not recording.aliases or not recording.heap.knows_tensor(args[0]):
            return
        if recording.aliases.get(recording.heap.number_of(args[0])) == DATA and not result.requires_grad:
            self._shifted[id(result)] = (result, args[0])

    def draft_write(self, write: Write, tensor: torch.Tensor, args: Arguments) -> Draft | None:
        """Look at `tensor` before it is written; None unless `.data` leads to the result of a node."""
        if write.alias != DATA or self._is_put_back(write, tensor, args):
            return None
        shown = []
        for holder in self._recording.heap.block_of(tensor).graphed:
            if _is_of_leaf(holder):
                return None
            if _maker_of(holder) is not None and share_element(layout_of(holder), layout_of(tensor)):
                shown.append(holder)
        return Draft(tensor, tuple(shown), tensor.detach().clone()) if shown else None

    def _is_put_back(self, write: Write, tensor: torch.Tensor, args: Arguments) -> bool:
        """Return whether the values copied to `tensor` are its own but for a constant."""
        known = self._shifted.get(id(args[1])) if write.op == "copy_" and len(args) > 1 else None
        return known is not None and share_memory(known[1], tensor) and layout_of(known[1]) == layout_of(tensor)

    def note_write(self, draft: Draft) -> None:
        """Log that the write has happened, if it has changed anything that may matter."""
        if _is_harmless(draft):
            return
        recording = self._recording
        made = next((holder for holder in draft.shown if not holder._is_view()), draft.shown[0])
        made = made._base if made._base is not None and _maker_of(made._base) is not None else made
        maker = _maker_of(made)
        state, key = recording.state_of(made), _FIRST_KEY + len(self._notes)
        save = Save(recording.current_span(), state, op_of_node(maker), AS_MADE, key, -key, ALWAYS)
        recording.log.add(save)
        nodes = frozenset(map(_maker_of, draft.shown))
        block = recording.heap.block_of(draft.tensor)
        self._notes.append(_Note(save, maker, nodes, _count_nodes(), draft.tensor, block))

    def checks_of_walk(self, walked: Iterable[object], roots: Iterable[Node], span: Span, key: int) -> Iterator[Check]:
        """Yield the checks of backward `key`, which ran the nodes `walked` from `roots`."""
        if self._notes:
            ran, starts = set(walked), set(roots)
            for note in self._notes:
                if note.nodes & ran and (note.nodes & starts or any(_is_consumer(node, note) for node in ran)):
                    yield Check(span, note.save.key, key, note.save.tensor.version, changed=True)

    def final_saves(self, nodes: dict[Node, int]) -> dict[int, Save]:
        """Return all notes as saves, by key, with the final numbers of their nodes."""
        saves = ((note.save, nodes.get(note.maker, note.save.node)) for note in self._notes)
        return {save.key: replace(save, node=number) for save, number in saves}


def _is_consumer(node: Node, note: _Note) -> bool:
    """Return whether `node` computes with what was written: it was made later and is no view of other elements."""
    number = getattr(node, "_sequence_nr", None)
    if number is None or number() < note.sequence:
        return False
    if not any(edge in note.nodes for edge, _ in node.next_functions):
        return False
    views = [holder for holder in note.block.graphed if _maker_of(holder) is node]
    return not views or any(share_element(layout_of(view), layout_of(note.written)) for view in views)


def _is_of_leaf(tensor: torch.Tensor) -> bool:
    """Return whether `tensor` is a leaf that requires grad, or a view of one."""
    base = tensor._base if tensor._is_view() else None
    return any(owner is not None and owner.requires_grad and is_leaf(owner) for owner in (tensor, base))


def _maker_of(tensor: torch.Tensor) -> Node:
    """Return the node that made `tensor`, None for a leaf and for a view whose history cannot be rebuilt."""
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


def _is_harmless(draft: Draft) -> bool:
    """Return whether all elements are unchanged, except those that are masked now."""
    now = draft.tensor.detach()
    try:
        same = (now == draft.content) | (now.isnan() & draft.content.isnan())
        return bool((same if now.is_complex() else same | (now <= MASKING)).all())
    except (RuntimeError, NotImplementedError):
        return False


def _count_nodes() -> int:
    """Return the number that the next node of this thread will get."""
    count = getattr(torch._C._autograd, "_get_sequence_nr", None)
    return int(count()) if count is not None else 0
