"""The saved-tensor hooks that are in force: the innermost ones, and how to do without them for a while.

torch tells the innermost hooks since 2.7. For a torch that does not, they are noted as they are pushed and popped:
`saved_tensors_hooks` and all that is built on it call the two functions by their names in torch's module.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

Pack = Callable[[torch.Tensor], object]
Unpack = Callable[..., torch.Tensor]
"""It gets what `Pack` has returned."""
Hooks = tuple[Pack, Unpack]

_AUTOGRAD = torch._C._autograd


class _Stack(threading.local):
    """The hooks of one thread, the innermost last."""

    def __init__(self) -> None:
        self.hooks: list[Hooks] = []


_noted = _Stack()


def find_innermost_hooks() -> Hooks | None:
    """Return the hooks that are called for saves in this thread, None without hooks."""
    ask = getattr(_AUTOGRAD, "_top_saved_tensors_default_hooks", None)
    if ask is not None:
        hooks: Hooks | None = ask(True)
        return hooks or None
    return _noted.hooks[-1] if _noted.hooks else None


def push_hooks(hooks: Hooks) -> None:
    """Make `hooks` the innermost hooks."""
    _AUTOGRAD._push_saved_tensors_default_hooks(*hooks)


def pop_hooks() -> None:
    """Remove the innermost hooks."""
    _AUTOGRAD._pop_saved_tensors_default_hooks()


@contextmanager
def without_innermost_hooks() -> Iterator[None]:
    """Remove the innermost hooks for the duration of the block."""
    hooks = find_innermost_hooks()
    if hooks is not None:
        pop_hooks()
    try:
        yield
    finally:
        if hooks is not None:
            push_hooks(hooks)


def _note_hooks() -> None:
    """Record every push and pop of hooks from now on."""
    push, pop = _AUTOGRAD._push_saved_tensors_default_hooks, _AUTOGRAD._pop_saved_tensors_default_hooks

    def push_and_note(pack: Pack, unpack: Unpack) -> None:
        push(pack, unpack)
        _noted.hooks.append((pack, unpack))

    def pop_and_note() -> None:
        pop()
        if _noted.hooks:
            _noted.hooks.pop()

    _AUTOGRAD._push_saved_tensors_default_hooks, _AUTOGRAD._pop_saved_tensors_default_hooks = (
        push_and_note,
        pop_and_note,
    )


if not hasattr(_AUTOGRAD, "_top_saved_tensors_default_hooks"):
    _note_hooks()
