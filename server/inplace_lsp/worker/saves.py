"""The tensors that ops save for backward: noted when they are saved, compared when a backward unpacks them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch.autograd.function import BackwardCFunction

from inplace_lsp.tape.model import ALWAYS, Save
from inplace_lsp.worker.heap import version_of
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.recording import Recording
from inplace_lsp.worker.saved_tensor import SavedTensor

if TYPE_CHECKING:
    from torch.autograd.graph import Node


class Saves:
    """The `saved_tensors_hooks` of the recorded run."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self.kept: list[SavedTensor] = recording.kept
        self.on_unpack: Callable[[SavedTensor], None] | None = None
        self.reading = False

    def pack(self, tensor: torch.Tensor) -> SavedTensor:
        """Note that an op saves `tensor`."""
        return self._note_save(tensor)

    def hand_out(self, tensor: torch.Tensor) -> SavedTensor:
        """Note that an op saves `tensor`, which hooks of the program keep: no backward checks its version."""
        return self._note_save(tensor, handed_out=True)

    def _note_save(self, tensor: torch.Tensor, *, handed_out: bool = False) -> SavedTensor:
        recording = self._recording
        with modes_off():
            recording.settle_log()
            state = recording.state_of(tensor)
            if handed_out:
                state = replace(state, counter=recording.heap.new_counter())
            alias = tensor.detach()
            kept = SavedTensor(
                key=len(self.kept) + 1,
                tensor=tensor,
                alias=alias,
                content=alias.clone(),
                version=version_of(tensor),
                maker=tensor.grad_fn,
                span=recording.current_span(),
                state=state,
                op=recording.op,
                inside=recording.made_up_caller(),
                handed_out=handed_out,
            )
            self.kept.append(kept)
            recording.log.add(Save(kept.span, kept.state, kept.op, "", kept.key, -kept.key, ALWAYS, kept.inside))
        return kept

    def unpack(self, kept: SavedTensor) -> torch.Tensor:
        """Return what was saved, whatever has happened since, to a backward (or whoever asks).

        A walk that makes a graph of its own (`create_graph`) saves it again, and the backward of a custom Function may
        write it: both get the memory itself, if nothing changed.
        """
        if self.on_unpack is not None:
            with modes_off():
                self.on_unpack(kept)
        if torch.is_grad_enabled() or isinstance(kept.node, BackwardCFunction):
            with modes_off():
                if kept.compare_with_saved() == (kept.version, False):
                    return kept.alias
        return kept.content

    def take_back(self, kept: SavedTensor, unpack: Callable[[], torch.Tensor]) -> torch.Tensor:
        """Return what the program's hooks return for a saved tensor, or what was saved if that is wrong by now. While
        the graph is read nobody asks them: a checkpoint would compute everything again."""
        if self.reading:
            return self.unpack(kept)
        value = unpack()
        with modes_off():
            kept.returned = value.detach()
            if self.on_unpack is not None:
                self.on_unpack(kept)
            wrong = kept.compare_with_saved()[1]
            kept.returned = None
        return kept.content if wrong else value

    def final_saves(self, nodes: dict[Node, int]) -> dict[int, Save]:
        """Return all saves by key, with the node and role that were found later."""
        return {
            kept.key: Save(
                kept.span,
                kept.state,
                kept.op or op_of_node(kept.node),
                kept.role,
                kept.key,
                -kept.key if kept.node is None else nodes.get(kept.node, -kept.key),
                ALWAYS,
                kept.inside,
            )
            for kept in self.kept
        }


def op_of_node(node: Node | None) -> str:
    """Return the op that made a node, from the node's name (`ExpBackward0` -> `exp`); "" without a node."""
    if node is None:
        return ""
    bare = node.name().split("::")[-1].rstrip("0123456789").removesuffix("Backward")
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in bare).lstrip("_")
