"""Saved-tensor hooks that step aside for the transforms of `torch.func`, which refuse to work with hooks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

from inplace_lsp.worker.hook_stack import find_innermost_hooks, pop_hooks, push_hooks

Pack = Callable[[torch.Tensor], object]
Unpack = Callable[..., torch.Tensor]


@contextmanager
def yielding_hooks(pack: Pack, unpack: Unpack, note_step_aside: Callable[[], None]) -> Iterator[None]:
    """Act as `saved_tensors_hooks(pack, unpack)`, but step aside while something disables such hooks.

    Calls `note_step_aside` each time.
    """
    module = torch._C._autograd
    disable, enable = module._saved_tensors_hooks_disable, module._saved_tensors_hooks_enable
    taken = [False]

    def disable_and_pop(*arguments: object) -> object:
        innermost = find_innermost_hooks()
        if not taken[0] and innermost is not None and innermost[0] == pack:
            pop_hooks()
            taken[0] = True
            note_step_aside()
        return disable(*arguments)

    def enable_and_push() -> object:
        result = enable()
        if taken[0]:
            taken[0] = False
            push_hooks((pack, unpack))
        return result

    module._saved_tensors_hooks_disable, module._saved_tensors_hooks_enable = disable_and_pop, enable_and_push
    try:
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            yield
    finally:
        module._saved_tensors_hooks_disable, module._saved_tensors_hooks_enable = disable, enable
