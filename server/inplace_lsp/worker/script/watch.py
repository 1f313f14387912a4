"""Watches a script while it runs: what ops save, who writes to it, and what backward then finds."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import checkpoint

from inplace_lsp.tape.model import Tape
from inplace_lsp.worker import threads
from inplace_lsp.worker.apply_frame import APPLY
from inplace_lsp.worker.heap import share_counter
from inplace_lsp.worker.naming import candidates, op_name
from inplace_lsp.worker.script import mismatch, refused
from inplace_lsp.worker.script.freed import Freed, note_maker
from inplace_lsp.worker.script.notes import Kept, Living, Made, Written, memory_of
from inplace_lsp.worker.script.own_code import OwnCode, Place
from inplace_lsp.worker.session import tensors_in
from inplace_lsp.worker.yielding import yielding_hooks

MADE = 4096
"""So many tensors are remembered by where they were made, before an op saves them."""
_Off = torch._C.DisableTorchFunction


class _Now(threading.local):
    """The torch function that a thread is calling; from where, once that was asked; whether it has kept something."""

    op: Any = None
    place: Place | None = None
    keeps: bool = False


class Watch(TorchFunctionMode):  # type: ignore[misc]
    """Notes the user's calls of torch. `tell` is given the tape of every in-place error, and the error. `unseen` gets
    the lines that start what cannot be watched."""

    def __init__(self, tell: Callable[[Tape, BaseException], None], unseen: dict[Place, None] | None = None) -> None:
        super().__init__()
        self.code = OwnCode()
        self.freed = Freed()
        self.living = Living(self.freed)
        self.inner: dict[Any, list[Kept]] = {}
        self.on_unpack: Callable[[Any], Any] | None = None
        self._unseen = {} if unseen is None else unseen
        self._tell = tell
        self._time = count(1)
        self._now = _Now()
        self._made: OrderedDict[int, Made] = OrderedDict()

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Everything that this thread does meanwhile, and those that it starts."""
        engine = torch.autograd.Variable._execution_engine
        torch.autograd.Variable._execution_engine = mismatch.Engine(engine, self)
        try:
            with threads.watching(self._in_a_thread), yielding_hooks(self.pack, self.unpack, self._stand_aside), self:
                yield
        finally:
            torch.autograd.Variable._execution_engine = engine

    @contextmanager
    def _in_a_thread(self) -> Iterator[None]:
        """The same in a thread: torch's modes and hooks are its own."""
        with torch.autograd.graph.saved_tensors_hooks(self.pack, self.unpack), self:
            yield

    def _stand_aside(self) -> None:
        """A transform of `torch.func` runs: nothing is seen of what happens inside."""
        self._unseen.setdefault(self.here(), None)

    def here(self) -> Place:
        """The user's line that runs now."""
        now = self._now
        if now.op is None:
            return self.code.place()
        if now.place is None:
            now.place = self.code.place()
        return now.place

    def told(self, tape: Tape, error: BaseException) -> None:
        """An in-place error is about to be raised."""
        self._tell(tape, error)

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") == "__get__":
            return func(*args, **kwargs)
        now = self._now
        outer, now.op, now.place, now.keeps = (now.op, now.place, now.keeps), func, None, False
        matters = torch.is_grad_enabled() or bool(self.living)  # else nothing is kept, nor will be by this call
        before = _versions(args, kwargs) if matters else ()
        started = next(self._time)
        try:
            result = func(*args, **kwargs)
            for tensor, version in before:
                if tensor._version != version or getattr(func, "__name__", "") == "detach_":
                    self._written(tensor, version, started, func, args, kwargs)
            if matters and type(result) is torch.Tensor:
                self._note_made(result)
                self._note_node(result)
            elif now.keeps:
                self._note_nodes(result)
        except RuntimeError as error:
            self._on_error(func, args, kwargs, error)
            raise
        finally:
            now.op, now.place, now.keeps = outer
        return result

    def pack(self, tensor: torch.Tensor) -> Any:
        """An op keeps `tensor`. What has no plain memory is left to torch."""
        with _Off():
            try:
                code = sys._getframe(1).f_code
                custom = code is APPLY or code.co_filename == checkpoint.__file__
                memory = memory_of(tensor)
                kept = Kept(self.living, tensor, memory, next(self._time), self.here(), self._now.op, custom=custom)
            except (RuntimeError, NotImplementedError):
                return tensor.detach()
            self._now.keeps = True
            kept.made = self._made.get(kept.address)
            self.living.add(kept)
            return kept

    def unpack(self, kept: Any) -> torch.Tensor:
        """A backward wants it back: this is where torch compares the versions."""
        if not isinstance(kept, Kept):
            tensor: torch.Tensor = kept
            return tensor
        with _Off():
            if self.on_unpack is not None:
                self.on_unpack(kept)
            elif kept.alias._version != kept.version or kept.detached:
                raise mismatch.StaleSaveError(kept)
            return kept.current()

    def _note_nodes(self, result: Any) -> None:
        for one in tensors_in(result):
            self._note_node(one)

    def _note_node(self, made: torch.Tensor) -> None:
        """Remember with the node that has made a tensor which line that was. A view is not asked: to be asked may give
        it a new history."""
        if not made._is_view() and made.grad_fn is not None:
            note_maker(made.grad_fn, self.here())

    def _note_made(self, tensor: torch.Tensor) -> None:
        """Remember where `tensor` was made, or that it is a new view of what is kept."""
        address = _address(tensor)
        if address is None:
            return
        view = tensor._is_view()
        kept = self.living.on(address) if address in self.living else []
        known = any(one.identity == id(tensor) for one in kept)
        if known or (kept and not view):
            return
        base = tensor._base if view else None
        note = Made(
            next(self._time), self.here(), self._now.op, id(tensor), tensor._version,
            not view and tensor.grad_fn is None, bool(tensor.requires_grad), None if base is None else id(base),
        )  # fmt: skip
        for one in kept:
            one.notes.append(note)
        if not view:
            self._made[address] = note
            self._made.move_to_end(address)
            if len(self._made) > MADE:
                self._made.popitem(last=False)

    def _written(self, tensor: torch.Tensor, before: int, started: int, func: Any, args: Any, kwargs: Any) -> None:
        """The version of `tensor` has moved: of interest if a graph keeps its memory."""
        address = _address(tensor)
        if address is None or address not in self.living:
            return
        with _Off(), torch.no_grad():
            kept = [one for one in self.living.on(address) if share_counter(one.alias, tensor)]
            result = any(one.key > started and one.version == tensor._version for one in kept)
            time = started if result else next(self._time)  # an op saves its result after it has written it
            note = self._write_note(tensor, before, time, func, args, kwargs) if kept else None
        for one in kept:
            assert note is not None
            one.notes.append(note)

    def _write_note(self, tensor: torch.Tensor, before: int, time: int, func: Any, args: Any, kwargs: Any) -> Written:
        frames = self.code.frames()
        op = next((op for one, op in candidates(func, args, kwargs) if one is tensor), op_name(func))
        place, outermost = self.here(), (frames[-1].f_code.co_filename, frames[-1].f_lineno) if frames else None
        return Written(
            time=time,
            place=place,
            call=outermost if len(frames) > 1 else None,
            op=op,
            tensor=id(tensor),
            name=self.code.name_of(tensor),
            before=before,
            after=tensor._version,
            grad_mode=torch.is_grad_enabled(),
            needs_grad=any(one.requires_grad for one in tensors_in((args, kwargs))),
            step=refused.by_a_library(self.code),
            alias=tensor.detach(),
        )

    def _on_error(self, func: Any, args: Any, kwargs: Any, error: RuntimeError) -> None:
        """torch has raised: tell of it if it is a write that torch refuses."""
        with _Off():
            tape = refused.tape(self.code, func, args, kwargs, error)
        if tape is not None:
            self.told(tape, error)


def _address(tensor: torch.Tensor) -> int | None:
    """Where the memory of `tensor` is; None for tensors that have no plain memory or no versions."""
    try:
        return None if tensor.is_inference() else tensor.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):
        return None


def _versions(args: Any, kwargs: Any) -> list[tuple[torch.Tensor, int]]:
    """The tensors among the arguments, and in lists of them (`_foreach_*`), with their versions."""
    found: list[torch.Tensor] = []
    for one in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(one, torch.Tensor):
            found.append(one)
        elif isinstance(one, (list, tuple)):
            found += [each for each in one if isinstance(each, torch.Tensor)]
    return [(one, one._version) for one in found if not one.is_inference()]
