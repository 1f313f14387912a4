"""Substitutes for layers and loaders that the inputs do not give."""

from __future__ import annotations

import dis
import sys
from types import FrameType
from typing import Any

import torch

_READS = frozenset(dis.opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in dis.opmap)
"""The instructions for `model.name`."""


class InventedLayer(torch.nn.Module):  # type: ignore[misc]
    """A layer that takes any arguments and returns the first, a tensor as a new one: it keeps nothing for its backward,
    and what is written to its result reaches nobody else. So no hazard is its own."""

    def __init__(self, *_given: object, **_named: object) -> None:
        super().__init__()

    def forward(self, first: Any = None, *_rest: object, **_named: object) -> Any:
        """Return the first argument, a tensor in a memory of its own."""
        return first.clone() if isinstance(first, torch.Tensor) else first


class InventedModel(torch.nn.Linear):  # type: ignore[misc]
    """A model that takes any arguments and returns a tensor like the first that it can: a layer, where the width fits,
    and a gain, so that a backward through it needs a parameter, as that through any model of several layers does. It
    keeps nothing of what it returns. What it lacks, a part of it for example, is it itself; but where the code asks
    whether it has that (`hasattr`, `getattr`), it has not."""

    def __init__(self, width: int) -> None:
        super().__init__(width, width)
        self.gain = torch.nn.Parameter(torch.ones(()))
        self._results = 1
        self._shares = False

    def __getattr__(self, name: str) -> Any:
        try:
            return super().__getattr__(name)
        except AttributeError:
            is_made = "_results" in self.__dict__
            if name.startswith("_") or not is_made or not _reads_attribute(sys._getframe(1)):
                raise
            return self

    @property
    def device(self) -> torch.device:
        """Where its parameters are."""
        return self.weight.device

    def returning(self, results: int) -> InventedModel:
        """Return the model, which returns so many tensors from now on, the later ones positive, as a spread is."""
        self._results = results
        return self

    def sharing(self) -> InventedModel:
        """Return the model, whose results are between 0 and 1 from now on."""
        self._shares = True
        return self

    def forward(self, *given: Any, **named: Any) -> Any:
        """Return a tensor, or several, that depends on all parameters and on all tensors that are given."""
        first, *rest = [*_tensors_in([*given, *named.values()]), torch.ones(1, self.in_features)]
        first = first if first.is_floating_point() else first.to(self.weight.dtype)
        result = super().forward(first) if first.shape[-1:] == self.weight.shape[-1:] else first * self.weight.mean()
        for other in rest[:-1]:
            result = result + other.to(result.dtype).mean() * self.gain
        made = result * self.gain
        if self._shares:  # a factor that needs no gradient keeps nothing of the result
            made = made * (0.5 / (made.detach().abs().max() + 1)) + 0.5
        return (made, *(result * result for _ in range(self._results - 1))) if self._results > 1 else made


def _reads_attribute(frame: FrameType) -> bool:
    """Return whether the code reads an attribute there; functions that ask for one are called."""
    return frame.f_code.co_code[frame.f_lasti] in _READS


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
