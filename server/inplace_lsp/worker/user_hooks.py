"""Saved-tensor hooks that the program itself sets: checkpoints, tensors moved to the CPU, hooks of its own.

They take autograd's check of versions away: what they return is used, whatever has happened to it. The recorder stands
around them, compares what they return with what was saved, and hands the backward what was saved if that differs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from inplace_lsp.worker.saved_tensor import SavedTensor
from inplace_lsp.worker.saves import Saves

Pack = Callable[[torch.Tensor], object]
Unpack = Callable[[Any], torch.Tensor]
"""It gets what `Pack` has returned."""


class _Watched:
    """The program's hooks, with the recorder around them."""

    def __init__(self, saves: Saves, pack: Pack, unpack: Unpack) -> None:
        self._saves = saves
        self._pack = pack
        self._unpack = unpack

    def pack(self, tensor: torch.Tensor) -> tuple[SavedTensor, object]:
        """Note the save, and keep what the program wants to keep."""
        return self._saves.hand_out(tensor), self._pack(tensor)

    def unpack(self, held: tuple[SavedTensor, object]) -> torch.Tensor:
        """Return what the program returns for the save, if that is what was saved."""
        kept, packed = held
        return self._saves.take_back(kept, lambda: self._unpack(packed))


@contextmanager
def watch_user_hooks(saves: Saves) -> Iterator[None]:
    """Stand around the hooks that the program sets from now on. What a checkpoint computes again is not a save: it is
    compared with what was saved the first time."""
    module = torch._C._autograd
    push = module._push_saved_tensors_default_hooks

    def push_watched(pack: Pack, unpack: Unpack) -> None:
        own = getattr(pack, "__self__", None) is saves
        if own or saves.on_unpack is not None:
            push(pack, unpack)
        else:
            watched = _Watched(saves, pack, unpack)
            push(watched.pack, watched.unpack)

    module._push_saved_tensors_default_hooks = push_watched
    try:
        yield
    finally:
        module._push_saved_tensors_default_hooks = push
