"""A saved tensor, and whether it is still what it was when an op saved it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from inplace_lsp.tape.model import Span, TensorState
from inplace_lsp.worker.heap import version_of

if TYPE_CHECKING:
    from torch.autograd.graph import Node


@dataclass(eq=False)
class SavedTensor:
    """A saved tensor: the object itself, another handle on its memory and counter, and a copy of the contents."""

    key: int
    tensor: torch.Tensor
    alias: torch.Tensor
    content: torch.Tensor
    version: int
    maker: Node | None
    span: Span
    state: TensorState
    op: str
    inside: str = ""
    node: Node | None = None
    role: str = ""

    @property
    def is_result(self) -> bool:
        """Return whether the op that saved it also made it. Only other saves follow when `.data` is swapped."""
        return self.maker is not None and self.maker is self.node

    def compare_with_saved(self) -> tuple[int, bool | None]:
        """Return the version that a backward finds now, and whether the contents have changed. Torch's modes must be
        off."""
        now = self.alias
        if not self.is_result and _storage_key(self.tensor) != _storage_key(self.alias):
            now = self.tensor.detach()
        return version_of(self.alias), values_differ(now, self.content)


def values_differ(tensor: torch.Tensor, other: torch.Tensor) -> bool | None:
    """Return whether both tensors hold different values (NaN equals NaN); None if they cannot be compared."""
    try:
        if tensor.shape != other.shape or tensor.dtype != other.dtype:
            return True
        return not bool(((tensor == other) | (tensor.isnan() & other.isnan())).all())
    except (RuntimeError, NotImplementedError):
        return None


def _storage_key(tensor: torch.Tensor) -> int:
    try:
        return int(tensor.untyped_storage()._cdata)
    except (RuntimeError, NotImplementedError):
        return 0
