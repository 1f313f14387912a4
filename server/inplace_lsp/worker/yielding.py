"""Saved-tensor hooks that step aside for what refuses to work with hooks: the transforms of `torch.func`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import torch

from inplace_lsp.worker.hook_stack import find_innermost_hooks, pop_hooks, push_hooks

Pack = Callable[[torch.Tensor], Any]
Unpack = Callable[[Any], torch.Tensor]


@contextmanager
def yielding_hooks(pack: Pack, unpack: Unpack, told: Callable[[], None]) -> Iterator[None]:
    """`saved_tensors_hooks(pack, unpack)`, taken away while something disables such hooks; torch asks no one then.

    `told` is called each time that happens.
    """
    module = torch._C._autograd
    disable, enable = module._saved_tensors_hooks_disable, module._saved_tensors_hooks_enable
    taken = [False]

    def disabling(*arguments: Any) -> Any:
        innermost = find_innermost_hooks()
        if not taken[0] and innermost is not None and innermost[0] == pack:
            pop_hooks()
            taken[0] = True
            told()
        return disable(*arguments)

    def enabling() -> Any:
        result = enable()
        if taken[0]:
            taken[0] = False
            push_hooks((pack, unpack))
        return result

    module._saved_tensors_hooks_disable, module._saved_tensors_hooks_enable = disabling, enabling
    try:
        with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
            yield
    finally:
        module._saved_tensors_hooks_disable, module._saved_tensors_hooks_enable = disable, enable
