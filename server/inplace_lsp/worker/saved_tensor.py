"""A saved tensor, and whether it is still what it was when an op saved it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from inplace_lsp.tape.model import Span, TensorState
from inplace_lsp.worker.heap import version_of

if TYPE_CHECKING:
    from torch.autograd.graph import Node


@dataclass(eq=False)
class SavedTensor:
    """A saved tensor: the object itself, another handle on its memory and counter, and a copy of the contents.

    `handed_out`: whether hooks of the program keep it, so that nobody checks its version; `returned`: what they have
    returned for it.
    """

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
    handed_out: bool = False
    returned: torch.Tensor | None = None

    @property
    def is_result(self) -> bool:
        """Return whether the op that saved it also made it. Only other saves follow when `.data` is swapped."""
        return self.maker is not None and self.maker is self.node

    def compare_with_saved(self) -> tuple[int, bool | None]:
        """Return the version that a backward finds now, and whether the contents have changed. Torch's modes must be
        off."""
        if self.handed_out:
            return self.version, self._is_returned_wrong()
        now = self.alias
        if not self.is_result and _storage_key(self.tensor) != _storage_key(self.alias):
            now = self.tensor.detach()
        return version_of(self.alias), values_differ(now, self.content)

    def _is_returned_wrong(self) -> bool:
        """Return whether the program's hooks have returned what the memory holds now, not what was saved. They may have
        returned less exact numbers: then what they are closer to counts."""
        returned = self.returned
        if returned is None or are_close(returned, self.content):
            return False
        if values_differ(self.alias, self.content) is False:
            return True
        return find_distance(returned, self.alias) < find_distance(returned, self.content)


def are_close(tensor: torch.Tensor, other: torch.Tensor) -> bool:
    """Return whether both tensors hold the same values but for rounding."""
    if tensor.shape != other.shape or tensor.dtype != other.dtype:
        return False
    try:
        return bool(torch.isclose(tensor, other, equal_nan=True).all())
    except (RuntimeError, NotImplementedError):
        return values_differ(tensor, other) is not True


def find_distance(tensor: torch.Tensor, other: torch.Tensor) -> float:
    """Return how far the values of two tensors are apart; infinity if they cannot be compared."""
    try:
        return float((tensor.double() - other.double()).abs().nan_to_num().sum())
    except (RuntimeError, NotImplementedError):
        return math.inf


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
