"""Where the elements of tensors in one memory lie."""

from __future__ import annotations

from typing import NamedTuple

import torch


class Layout(NamedTuple):
    """The elements of a tensor within its storage."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @property
    def end(self) -> int:
        """The position after the last element."""
        return self.offset + sum((n - 1) * step for n, step in zip(self.shape, self.strides, strict=True)) + 1


def layout_of(tensor: torch.Tensor) -> Layout:
    """Return where the elements of a strided tensor lie."""
    return Layout(tuple(tensor.shape), tuple(tensor.stride()), int(tensor.storage_offset()))


def share_element(first: Layout, second: Layout) -> bool:
    """Return whether two tensors in one memory have an element in common."""
    if 0 in first.shape or 0 in second.shape:
        return False
    if first == second:
        return True
    marks = torch.zeros(max(first.end, second.end), dtype=torch.bool)
    marks.as_strided(first.shape, first.strides, first.offset).fill_(True)
    return bool(marks.as_strided(second.shape, second.strides, second.offset).any())
