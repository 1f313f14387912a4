"""What ops keep for their backward: noted when they keep it, compared when the backward takes it back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction

from inplace_lsp.tape.model import ALWAYS, Save, Span, TensorState
from inplace_lsp.worker.heap import version
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.session import Session


@dataclass(eq=False)
class Kept:
    """One saved tensor: the object itself, another handle on its memory and counter, and a copy of the contents."""

    key: int
    tensor: torch.Tensor
    alias: torch.Tensor
    content: torch.Tensor
    version: int
    maker: Any
    span: Span
    state: TensorState
    op: str
    inside: str = ""
    node: Any = None
    role: str = ""

    @property
    def is_result(self) -> bool:
        """Whether the op that kept it also made it. Such a save does not follow when `.data` is swapped; others do."""
        return self.maker is not None and self.maker is self.node

    def found(self) -> tuple[int, bool | None]:
        """The version that a backward finds now, and whether the contents have changed. Torch's modes must be off."""
        now = self.alias
        if not self.is_result and _memory(self.tensor) != _memory(self.alias):
            now = self.tensor.detach()
        return version(self.alias), differ(now, self.content)


class Saves:
    """The `saved_tensors_hooks` of the recorded run."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.kept: list[Kept] = session.kept
        self.on_unpack: Any = None

    def pack(self, tensor: torch.Tensor) -> Kept:
        """An op keeps `tensor`."""
        session = self._session
        with modes_off():
            session.settle()
            alias = tensor.detach()
            kept = Kept(
                key=len(self.kept) + 1,
                tensor=tensor,
                alias=alias,
                content=alias.clone(),
                version=version(tensor),
                maker=tensor.grad_fn,
                span=session.here(),
                state=session.state(tensor),
                op=session.op,
                inside=session.inside(),
            )
            self.kept.append(kept)
            session.log.add(Save(kept.span, kept.state, kept.op, "", kept.key, -kept.key, ALWAYS, kept.inside))
        return kept

    def unpack(self, kept: Kept) -> torch.Tensor:
        """A backward (or whoever is asking) wants it back: it gets what was saved, whatever has happened since.

        A walk that makes a graph of its own (`create_graph`) saves it again, and the backward of a custom Function may
        write it: both get the memory itself, if nothing changed.
        """
        if self.on_unpack is not None:
            with modes_off():
                self.on_unpack(kept)
        if torch.is_grad_enabled() or isinstance(kept.node, BackwardCFunction):
            with modes_off():
                if kept.found() == (kept.version, False):
                    return kept.alias
        return kept.content

    def final(self, nodes: dict[Any, int]) -> dict[int, Save]:
        """All saves by key, with the node and role that were found out later."""
        return {
            kept.key: Save(
                kept.span,
                kept.state,
                kept.op or op_of(kept.node),
                kept.role,
                kept.key,
                nodes.get(kept.node, -kept.key),
                ALWAYS,
                kept.inside,
            )
            for kept in self.kept
        }


def differ(one: torch.Tensor, other: torch.Tensor) -> bool | None:
    """Whether both hold different values (a NaN is the same as a NaN); None for tensors that cannot be compared."""
    try:
        if one.shape != other.shape or one.dtype != other.dtype:
            return True
        return not bool(((one == other) | (one.isnan() & other.isnan())).all())
    except (RuntimeError, NotImplementedError):
        return None


def op_of(node: Any) -> str:
    """The op that made a node of the graph, from the node's name (`ExpBackward0` -> `exp`); "" without a node."""
    if node is None:
        return ""
    bare = node.name().split("::")[-1].rstrip("0123456789").removesuffix("Backward")
    return "".join("_" + letter.lower() if letter.isupper() else letter for letter in bare).lstrip("_")


def _memory(tensor: torch.Tensor) -> int:
    try:
        return int(tensor.untyped_storage()._cdata)
    except (RuntimeError, NotImplementedError):
        return 0
