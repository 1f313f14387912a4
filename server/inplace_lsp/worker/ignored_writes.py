"""Writes through `.data` to what a node has made: noted when they happen, told when a walk comes from what was computed
with the new values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch

from inplace_lsp.tape.autograd import AS_MADE, DATA, MASKING
from inplace_lsp.tape.model import ALWAYS, Check, Save, Span, Write
from inplace_lsp.worker.heap import Block, is_leaf, share_memory
from inplace_lsp.worker.saves import op_of
from inplace_lsp.worker.session import Session

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
    maker: Any
    nodes: frozenset[Any]
    sequence: int
    written: torch.Tensor
    block: Block


class IgnoredWrites:
    """The writes of one run that no gradient knows of."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._notes: list[_Note] = []
        self._shifted: dict[int, tuple[torch.Tensor, torch.Tensor]] = {}

    def learn(self, func: Any, args: Any, result: Any) -> None:
        """Remember what is made by adding a constant to what `.data` leads to."""
        session = self._session
        if func not in _SHIFTING or not session.aliases or not session.heap.knows_tensor(args[0]):
            return
        if session.aliases.get(session.heap.number(args[0])) == DATA and not result.requires_grad:
            self._shifted[id(result)] = (result, args[0])

    def draft(self, write: Write, tensor: torch.Tensor, args: Any) -> Draft | None:
        """Look at `tensor` before it is written; None unless `.data` leads to what a node has made."""
        if write.alias != DATA or self._is_put_back(write, tensor, args):
            return None
        shown = []
        for one in self._session.heap.block(tensor).graphed:
            if _is_of_leaf(one):
                return None
            if _node(one) is not None and _touch(one, tensor):
                shown.append(one)
        return Draft(tensor, tuple(shown), tensor.detach().clone()) if shown else None

    def _is_put_back(self, write: Write, tensor: torch.Tensor, args: Any) -> bool:
        """Whether the values that are copied to `tensor` are those that are there, but for a constant."""
        known = self._shifted.get(id(args[1])) if write.op == "copy_" and len(args) > 1 else None
        return known is not None and share_memory(known[1], tensor) and _place(known[1]) == _place(tensor)

    def note(self, draft: Draft) -> None:
        """Log that the write has happened, if it has changed anything that may matter."""
        if _is_harmless(draft):
            return
        session = self._session
        made = next((one for one in draft.shown if not one._is_view()), draft.shown[0])
        made = made._base if made._base is not None and _node(made._base) is not None else made
        maker = _node(made)
        state, key = session.state(made), _FIRST_KEY + len(self._notes)
        save = Save(session.here(), state, op_of(maker), AS_MADE, key, -key, ALWAYS)
        session.log.add(save)
        nodes = frozenset(map(_node, draft.shown))
        block = session.heap.block(draft.tensor)
        self._notes.append(_Note(save, maker, nodes, _count_nodes(), draft.tensor, block))

    def passed(self, walked: Iterable[Any], roots: Iterable[Any], span: Span, key: int) -> Iterator[Check]:
        """The checks of walk `key`, which ran the nodes `walked` from `roots` on."""
        if self._notes:
            ran, starts = set(walked), set(roots)
            for one in self._notes:
                if one.nodes & ran and (one.nodes & starts or any(_is_consumer(node, one) for node in ran)):
                    yield Check(span, one.save.key, key, one.save.tensor.version, changed=True)

    def final(self, nodes: dict[Any, int]) -> dict[int, Save]:
        """All notes as saves, by key, with the numbers that their nodes have got."""
        saves = ((one.save, nodes.get(one.maker, one.save.node)) for one in self._notes)
        return {save.key: replace(save, node=number) for save, number in saves}


def _is_consumer(node: Any, note: _Note) -> bool:
    """Whether `node` computes with what was written: made later, and no view of other elements."""
    number = getattr(node, "_sequence_nr", None)
    if number is None or number() < note.sequence:
        return False
    if not any(edge in note.nodes for edge, _ in node.next_functions):
        return False
    views = [one for one in note.block.graphed if _node(one) is node]
    return not views or any(_touch(one, note.written) for one in views)


def _is_of_leaf(tensor: torch.Tensor) -> bool:
    """Whether `tensor` is a leaf that requires grad, or a view of one."""
    base = tensor._base if tensor._is_view() else None
    return any(one is not None and one.requires_grad and is_leaf(one) for one in (tensor, base))


def _node(tensor: torch.Tensor) -> Any:
    """The node that made `tensor`, None for a leaf and for a view whose history cannot be told."""
    try:
        return tensor.grad_fn
    except RuntimeError:
        return None


def _touch(one: torch.Tensor, other: torch.Tensor) -> bool:
    """Whether two tensors in one memory have an element in common."""
    if not one.numel() or not other.numel():
        return False
    if _place(one) == _place(other):
        return True
    ends = [each.storage_offset() + sum((n - 1) * step for n, step in _steps(each)) + 1 for each in (one, other)]
    marks = torch.zeros(max(ends), dtype=torch.bool)
    marks.as_strided(one.shape, one.stride(), one.storage_offset()).fill_(True)
    return bool(marks.as_strided(other.shape, other.stride(), other.storage_offset()).any())


def _place(tensor: torch.Tensor) -> tuple[object, ...]:
    return tensor.shape, tensor.stride(), tensor.storage_offset()


def _steps(tensor: torch.Tensor) -> Iterable[tuple[int, int]]:
    return zip(tensor.shape, tensor.stride(), strict=True)


def _is_harmless(draft: Draft) -> bool:
    """Whether all elements are as they were, but for those that are a mask now."""
    now = draft.tensor.detach()
    try:
        same = (now == draft.content) | (now.isnan() & draft.content.isnan())
        return bool((same if now.is_complex() else same | (now <= MASKING)).all())
    except (RuntimeError, NotImplementedError):
        return False


def _count_nodes() -> int:
    """The number that the next node of this thread will get."""
    count = getattr(torch._C._autograd, "_get_sequence_nr", None)
    return int(count()) if count is not None else 0
