"""Watch custom `autograd.Function`s: writes that they do not declare, and tensors that they keep where autograd does
not look."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch.autograd.function import BackwardCFunction, Function, FunctionCtx

from inplace_lsp.tape.autograd import KEPT_ON_CTX, find_rejection
from inplace_lsp.tape.model import ALWAYS, Actor, Save, Write
from inplace_lsp.worker.heap import version_of
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.naming import Arguments, Named
from inplace_lsp.worker.recording import Recording, tensors_in
from inplace_lsp.worker.saved_tensor import SavedTensor

if TYPE_CHECKING:
    from torch.autograd.graph import Node


class CustomFunctions:
    """Stands between the user and `Function.apply`."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording
        self._dirty: list[object] = []

    @contextmanager
    def watch_applications(self) -> Iterator[None]:
        """Watch every application and every `mark_dirty`."""
        apply, mark_dirty = Function.__dict__["apply"], FunctionCtx.mark_dirty

        def apply_watched(cls: type[Function], /, *args: object, **kwargs: object) -> object:
            return self._apply_function(cls, apply.__get__(None, cls), args, kwargs)

        def mark_and_note(ctx: FunctionCtx, *args: object) -> None:
            self._dirty.extend(args)
            mark_dirty(ctx, *args)

        Function.apply, FunctionCtx.mark_dirty = classmethod(apply_watched), mark_and_note
        try:
            yield
        finally:
            Function.apply, FunctionCtx.mark_dirty = apply, mark_dirty

    def _apply_function(
        self, cls: type[Function], apply: Callable[..., object], args: Arguments, kwargs: Named
    ) -> object:
        code = getattr(inspect.unwrap(cls.forward), "__code__", None)
        if code is None or not self._recording.places.is_own_file(code.co_filename):
            return apply(*args, **kwargs)
        outer, self._dirty = self._dirty, []
        since = len(self._recording.log.events)
        try:
            result = apply(*args, **kwargs)
        except RuntimeError:
            with modes_off(grad=torch.is_grad_enabled()):
                self._mark_refused_write(since)
            self._dirty = outer
            raise
        with modes_off():
            self._recording.settle_log()
            node = next(
                (tensor.grad_fn for tensor in tensors_in(result) if isinstance(tensor.grad_fn, BackwardCFunction)), None
            )
            if node is not None:
                self._mark_undeclared_writes(list(tensors_in((args, kwargs))), since)
                self._note_ctx_tensors(node, f"{cls.__name__}.apply")
        self._dirty = outer
        return result

    def _mark_refused_write(self, since: int) -> None:
        """Mark the write to a declared tensor that torch refuses, although the forward itself could make it."""
        self._recording.settle_log()
        events, numbers = (
            self._recording.log.events,
            {self._recording.heap.number_of(tensor) for tensor in tensors_in(self._dirty)},
        )
        for at in range(len(events) - 1, since - 1, -1):
            event = events[at]
            if isinstance(event, Write) and event.tensor.id in numbers:
                recorded = replace(event, grad_mode=torch.is_grad_enabled(), needs_grad=ALWAYS, refused=True)
                if find_rejection(recorded) is not None:
                    events[at] = recorded
                    return

    def _mark_undeclared_writes(self, inputs: list[torch.Tensor], since: int) -> None:
        """Mark the writes to inputs that the forward did not declare by `mark_dirty`."""
        state, events = self._recording.heap.state_of, self._recording.log.events
        marked = {state(tensor).storage for tensor in tensors_in(self._dirty)}
        silent = {state(tensor).storage for tensor in inputs if tensor.requires_grad} - marked
        for at in range(since, len(events)):
            event = events[at]
            if isinstance(event, Write) and event.tensor.storage in silent:
                events[at] = replace(event, actor=Actor.UNDECLARED, needs_grad=ALWAYS)

    def _note_ctx_tensors(self, node: Node, op: str) -> None:
        """Note the tensors on `ctx`: the node reads them when it runs, like its saves."""
        recording = self._recording
        for name, value in vars(node).items():
            for tensor in tensors_in(value) if isinstance(value, (torch.Tensor, list, tuple)) else ():
                alias = tensor.detach()
                kept = SavedTensor(
                    key=len(recording.kept) + 1,
                    tensor=tensor,
                    alias=alias,
                    content=alias.clone(),
                    version=version_of(tensor),
                    maker=None,
                    span=recording.current_span(),
                    state=recording.state_of(tensor),
                    op=op,
                    node=node,
                    role=f"{KEPT_ON_CTX}{name}",
                )
                recording.kept.append(kept)
                recording.inner.setdefault(node, []).append(kept)
                recording.log.add(Save(kept.span, kept.state, op, kept.role, kept.key, -kept.key, ALWAYS))
