"""Substitutes for layers and loaders that the inputs do not give."""

from __future__ import annotations

from typing import Any

import torch


class InventedLayer(torch.nn.Module):  # type: ignore[misc]
    """A layer that takes any arguments and returns the first, a tensor as a new one: it keeps nothing for its backward,
    and what is written to its result reaches nobody else. So no hazard is its own."""

    def __init__(self, *_given: object, **_named: object) -> None:
        super().__init__()

    def forward(self, first: Any = None, *_rest: object, **_named: object) -> Any:
        """Return the first argument, a tensor in a memory of its own."""
        return first.clone() if isinstance(first, torch.Tensor) else first


class InventedLoader(list[object]):
    """A loader that gives the same batch a few times, and what is asked of loaders besides."""

    def __init__(self, batch: object, times: int = 2) -> None:
        super().__init__([batch] * times)
        self.dataset: list[object] = [batch] * times
        self.sampler = self
        self.batch_size = next((len(tensor) for tensor in _tensors_in(batch) if tensor.dim()), times)

    def set_epoch(self, _epoch: int) -> None:
        """Do nothing: the batches are the same in every epoch."""


def _tensors_in(batch: object) -> list[torch.Tensor]:
    """Return the tensors of a batch, which may be a sequence or a dictionary."""
    values = batch.values() if isinstance(batch, dict) else batch if isinstance(batch, (list, tuple)) else [batch]
    return [value for value in values if isinstance(value, torch.Tensor)]
