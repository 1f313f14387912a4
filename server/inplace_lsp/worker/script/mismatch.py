"""Raise torch's own error where backward finds another version than was saved.

With saved-tensor hooks torch does not compare versions, so `Watch.unpack` does. The words of the error are torch's own,
whatever its release: a save is made that is in the same state, and torch is asked for it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.autograd.function import BackwardCFunction, FunctionCtx

from inplace_lsp.worker.graph import Roots, learn_saves, nodes_of
from inplace_lsp.worker.heap import set_version
from inplace_lsp.worker.hook_stack import without_innermost_hooks
from inplace_lsp.worker.script import second_walk, story
from inplace_lsp.worker.script.notes import LiveSave
from inplace_lsp.worker.script.second_walk import TWICE
from inplace_lsp.worker.script.watch_protocol import Watched

if TYPE_CHECKING:
    from torch._C import _ImperativeEngine as ImperativeEngine


class StaleSaveError(RuntimeError):
    """A backward asked for `kept`, which has been written; carries it out of torch's engine."""

    def __init__(self, kept: LiveSave) -> None:
        super().__init__(
            "one of the variables needed for gradient computation has been modified by an inplace operation: "
            f"[{kept.alias.type()} {list(kept.alias.shape)}] is at version {kept.alias._version}; "
            f"expected version {kept.version} instead."
        )
        self.kept = kept


class Engine:
    """torch's engine, with our own way to start a walk. `backward` and `grad` of every torch release call it."""

    def __init__(self, engine: ImperativeEngine, watch: Watched) -> None:
        self._engine = engine
        self._watch = watch

    def __getattr__(self, name: str) -> object:
        return getattr(self._engine, name)

    def run_backward(self, roots: Roots, grads: object, retain: bool, *rest: object, **options: object) -> object:
        """Run the backward; watch the calls that hooks and custom functions make meanwhile."""
        if self._watch.meter is not None:
            with torch._C.DisableTorchFunction():
                self._watch.meter.note_walk(self._watch, roots)
        walking = self._watch.freed.track_walk(self._watch.current_place(), retain=bool(retain))
        try:
            with walking, self._watch:
                return self._engine.run_backward(roots, grads, retain, *rest, **options)
        except StaleSaveError as stale:
            raise self._build_error(stale, roots).with_traceback(stale.__traceback__) from None
        except RuntimeError as error:
            if TWICE in str(error):
                self._explain_second_walk(error, roots)
            raise

    def _explain_second_walk(self, error: RuntimeError, roots: Roots) -> None:
        """Report a backward that came to what another one had freed."""
        before, self._watch.on_unpack = self._watch.on_unpack, lambda _: None
        try:
            with torch._C.DisableTorchFunction():
                here = self._watch.current_place()
                tape = second_walk.build_second_walk_tape(
                    nodes_of(roots), self._watch.freed, here, f"RuntimeError: {error}"
                )
        finally:
            self._watch.on_unpack = before
        self._watch.report_tape(tape, error)

    def _build_error(self, stale: StaleSaveError, roots: Roots) -> RuntimeError:
        with torch._C.DisableTorchFunction():
            learn_saves(self._watch, self._watch, roots)
            error = RuntimeError(_torch_message(self._watch, stale))
            self._watch.report_tape(story.build_stale_tape(self._watch, stale.kept, f"RuntimeError: {error}"), error)
        return error


class _SavingFunction(torch.autograd.Function):  # type: ignore[misc]
    """Saves its second argument."""

    @staticmethod
    def forward(ctx: FunctionCtx, anchor: torch.Tensor, tensor: torch.Tensor) -> torch.Tensor:
        """Keep `tensor`."""
        ctx.save_for_backward(tensor)
        return anchor.clone()


def _torch_message(watch: Watched, stale: StaleSaveError) -> str:
    """Return torch's message for the stale save."""
    kept = stale.kept
    with without_innermost_hooks(), torch.enable_grad():
        return (
            _detach_message() if kept.has_lost_history else _version_message(_saved_with_history(watch, kept), kept)
        ) or str(stale)


def _version_message(tensor: torch.Tensor, kept: LiveSave) -> str:
    """Return torch's message for a save of `tensor` whose version has moved as that of `kept` has."""
    found, before = kept.alias._version, tensor._version
    try:
        set_version(tensor, kept.version)
        result = _SavingFunction.apply(
            torch.ones(1, requires_grad=True), tensor
        )  # torch 2.6 frees the saves with the result
        set_version(tensor, found)
        result.grad_fn.saved_tensors  # noqa: B018
    except RuntimeError as error:
        return str(error)
    finally:
        set_version(tensor, before)
    return ""


def _detach_message() -> str:
    """Return torch's message for a saved tensor that lost its history."""
    tensor = torch.ones(1, requires_grad=True) * 1
    square = tensor**2
    tensor.detach_()
    try:
        with torch.autograd.set_detect_anomaly(mode=False):  # which would show the stack of this call
            square.backward()
    except RuntimeError as error:
        return str(error)
    return ""


def _saved_with_history(watch: Watched, kept: LiveSave) -> torch.Tensor:
    """Return the saved tensor with its node in the graph, which torch's message names; without it if the node is not
    known."""
    if kept.tensor is not None:
        return kept.tensor
    unpacked: list[LiveSave] = []
    before, watch.on_unpack = watch.on_unpack, unpacked.append
    try:
        tensor = getattr(kept.node, f"_saved_{kept.role}", None)
        if isinstance(kept.node, BackwardCFunction):
            saved = [tensor for tensor in kept.node.saved_tensors if tensor is not None]
            tensor = next((candidate for candidate, its in zip(saved, unpacked, strict=True) if its is kept), None)
    except RuntimeError:
        tensor = None
    finally:
        watch.on_unpack = before
    return tensor if isinstance(tensor, torch.Tensor) else kept.alias
