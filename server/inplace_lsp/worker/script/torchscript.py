"""Know where TorchScript runs: what its code writes passes no function mode, so nobody sees which op it was."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch

_CALLED = (torch._C.ScriptFunction, torch._C.ScriptMethod)


@contextmanager
def noted_script_calls(note: Callable[[], None]) -> Iterator[None]:
    """Call `note` after each call of a function or method of TorchScript."""
    plain = [called.__call__ for called in _CALLED]
    for called, call in zip(_CALLED, plain, strict=True):
        called.__call__ = _note_after(call, note)
    try:
        yield
    finally:
        for called, call in zip(_CALLED, plain, strict=True):
            called.__call__ = call


def _note_after(call: Callable[..., object], note: Callable[[], None]) -> Callable[..., object]:
    def run(self: object, *args: object, **kwargs: object) -> object:
        try:
            return call(self, *args, **kwargs)
        finally:
            note()

    return run
