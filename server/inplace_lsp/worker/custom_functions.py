"""Custom `autograd.Function`s: what they write without telling autograd, and keep where it does not look."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import torch
from torch.autograd.function import BackwardCFunction, Function, FunctionCtx

from inplace_lsp.tape.autograd import KEPT_ON_CTX, rejection
from inplace_lsp.tape.model import ALWAYS, Actor, Save, Write
from inplace_lsp.worker.heap import version
from inplace_lsp.worker.log import modes_off
from inplace_lsp.worker.saves import Kept
from inplace_lsp.worker.session import Session, tensors_in


class CustomFunctions:
    """Stands between the user and `Function.apply`."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._dirty: list[Any] = []

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch every application and every `mark_dirty`."""
        apply, mark_dirty = Function.__dict__["apply"], FunctionCtx.mark_dirty

        def watched(cls: Any, *args: Any, **kwargs: Any) -> Any:
            return self._applied(cls, apply.__get__(None, cls), args, kwargs)

        def marked(ctx: Any, *args: Any) -> None:
            self._dirty.extend(args)
            mark_dirty(ctx, *args)

        Function.apply, FunctionCtx.mark_dirty = classmethod(watched), marked
        try:
            yield
        finally:
            Function.apply, FunctionCtx.mark_dirty = apply, mark_dirty

    def _applied(self, cls: Any, apply: Any, args: Any, kwargs: Any) -> Any:
        code = getattr(inspect.unwrap(cls.forward), "__code__", None)
        if code is None or not self._session.places.is_own_file(code.co_filename):
            return apply(*args, **kwargs)
        outer, self._dirty = self._dirty, []
        since = len(self._session.log.events)
        try:
            result = apply(*args, **kwargs)
        except RuntimeError:
            with modes_off(grad=torch.is_grad_enabled()):
                self._refused(since)
            self._dirty = outer
            raise
        with modes_off():
            self._session.settle()
            node = next((one.grad_fn for one in tensors_in(result) if isinstance(one.grad_fn, BackwardCFunction)), None)
            if node is not None:
                self._blame(list(tensors_in((args, kwargs))), since)
                self._keep(node, f"{cls.__name__}.apply")
        self._dirty = outer
        return result

    def _refused(self, since: int) -> None:
        """torch takes no write to what was told of: that write is refused, though the forward itself could make it."""
        self._session.settle()
        events, numbers = self._session.log.events, {self._session.heap.number(one) for one in tensors_in(self._dirty)}
        for at in range(len(events) - 1, since - 1, -1):
            event = events[at]
            if isinstance(event, Write) and event.tensor.id in numbers:
                told = replace(event, grad_mode=torch.is_grad_enabled(), needs_grad=ALWAYS, refused=True)
                if rejection(told) is not None:
                    events[at] = told
                    return

    def _blame(self, inputs: list[torch.Tensor], since: int) -> None:
        """Mark the writes to inputs of which the forward did not tell."""
        state, events = self._session.heap.state, self._session.log.events
        told = {state(one).storage for one in tensors_in(self._dirty)}
        silent = {state(one).storage for one in inputs if one.requires_grad} - told
        for at in range(since, len(events)):
            event = events[at]
            if isinstance(event, Write) and event.tensor.storage in silent:
                events[at] = replace(event, actor=Actor.UNDECLARED, needs_grad=ALWAYS)

    def _keep(self, node: Any, op: str) -> None:
        """Note the tensors on `ctx`; the node looks at them when it runs, as at what it saved."""
        session = self._session
        for name, value in vars(node).items():
            for tensor in tensors_in(value) if isinstance(value, (torch.Tensor, list, tuple)) else ():
                alias = tensor.detach()
                kept = Kept(
                    key=len(session.kept) + 1,
                    tensor=tensor,
                    alias=alias,
                    content=alias.clone(),
                    version=version(tensor),
                    maker=None,
                    span=session.here(),
                    state=session.state(tensor),
                    op=op,
                    node=node,
                    role=f"{KEPT_ON_CTX}{name}",
                )
                session.kept.append(kept)
                session.inner.setdefault(node, []).append(kept)
                session.log.add(Save(kept.span, kept.state, op, kept.role, kept.key, -kept.key, ALWAYS))
