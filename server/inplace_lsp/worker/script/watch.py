"""Watch a script while it runs: what ops save, who writes to it, and what backward then finds."""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import checkpoint

from inplace_lsp.tape.autograd import DETACH
from inplace_lsp.tape.model import Tape
from inplace_lsp.worker import threads
from inplace_lsp.worker.apply_frame import APPLY
from inplace_lsp.worker.heap import share_counter
from inplace_lsp.worker.naming import Arguments, Named, TorchFunction, op_name, written_candidates
from inplace_lsp.worker.places import statement_at
from inplace_lsp.worker.recording import tensors_in
from inplace_lsp.worker.script import mismatch, refused_write
from inplace_lsp.worker.script.carried_tape import attach_tape
from inplace_lsp.worker.script.memory import MemoryMeter
from inplace_lsp.worker.script.notes import Creation, LiveSave, LiveSaves, WriteNote, memory_of
from inplace_lsp.worker.script.own_code import OwnCode, Place
from inplace_lsp.worker.script.second_walk import FreedSaves, note_maker
from inplace_lsp.worker.script.torchscript import noted_script_calls
from inplace_lsp.worker.spelling import spelling_of
from inplace_lsp.worker.transform_hooks import yielding_hooks

if TYPE_CHECKING:
    from torch.autograd.graph import Node

Report = Callable[[Tape, BaseException], None]
MADE = 4096
"""Maximum number of tensors whose origin is remembered before an op saves them."""
_Off = torch._C.DisableTorchFunction


class _Now(threading.local):
    """The torch function that a thread is calling; from where, once that was asked; whether it has kept something."""

    op: TorchFunction | None = None
    place: Place | None = None
    keeps: bool = False


class Watch(TorchFunctionMode):  # type: ignore[misc]
    """Notes the user's calls of torch. Every in-place error carries its tape (`carried_tape`) and is given to `report`.
    `unseen` gets the lines that start what cannot be watched. `scripted` notes when a line last ran TorchScript.
    `meter` measures what the graphs keep."""

    def __init__(
        self, report: Report | None = None, unseen: dict[Place, None] | None = None, meter: MemoryMeter | None = None
    ) -> None:
        super().__init__()
        self.meter = meter
        self.code = OwnCode()
        self.freed = FreedSaves()
        self.living = LiveSaves(self.freed)
        self.inner: dict[Node, list[LiveSave]] = {}
        self.scripted: dict[Place, int] = {}
        self.on_unpack: Callable[[LiveSave], None] | None = None
        self.reading = False
        self._unseen = {} if unseen is None else unseen
        self._report = report
        self._time = count(1)
        self._now = _Now()
        self._made: OrderedDict[int, Creation] = OrderedDict()

    @contextmanager
    def watch_thread(self) -> Iterator[None]:
        """Watch everything that this thread does meanwhile, and the threads that it starts."""
        with self.watch_walks(), self.watch_calls():
            yield

    @contextmanager
    def watch_walks(self) -> Iterator[None]:
        """Watch every backward, in whichever thread, and report what was noted of its graph if it fails."""
        engine = torch.autograd.Variable._execution_engine
        torch.autograd.Variable._execution_engine = mismatch.Engine(engine, self)
        try:
            yield
        finally:
            torch.autograd.Variable._execution_engine = engine

    @contextmanager
    def watch_calls(self) -> Iterator[None]:
        """Watch the calls of torch, to note what they save and write."""
        with (
            threads.watch_threads(self._watch_new_thread),
            yielding_hooks(self.pack, self.unpack, self._note_unseen),
            noted_script_calls(self._note_scripted),
            self,
        ):
            yield

    @contextmanager
    def _watch_new_thread(self) -> Iterator[None]:
        """Watch the calls of a new thread: torch's modes and hooks belong to a thread."""
        with torch.autograd.graph.saved_tensors_hooks(self.pack, self.unpack), self:
            yield

    def _note_unseen(self) -> None:
        """Note that a transform of `torch.func` runs here: what happens inside is not seen."""
        self._unseen.setdefault(self.current_place(), None)

    def _note_scripted(self) -> None:
        """Note that code of TorchScript has run: what it writes is not seen."""
        self.scripted[self.current_place()] = next(self._time)

    def current_place(self) -> Place:
        """Return the user's line that runs now."""
        now = self._now
        if now.op is None:
            return self.code.current_place()
        if now.place is None:
            now.place = self.code.current_place()
        return now.place

    def report_tape(self, tape: Tape, error: BaseException) -> None:
        """Attach the tape to an in-place error that is about to be raised, and report it."""
        attach_tape(tape, error)
        if self._report is not None:
            self._report(tape, error)

    def __torch_function__(
        self,
        func: TorchFunction,
        types: object,
        args: Arguments = (),
        kwargs: Named | None = None,
    ) -> object:
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") == "__get__":
            return func(*args, **kwargs)
        now = self._now
        outer, now.op, now.place, now.keeps = (now.op, now.place, now.keeps), func, None, False
        matters = torch.is_grad_enabled() or bool(self.living)  # else nothing is kept, nor will be by this call
        before = _tensor_versions(args, kwargs) if matters else ()
        started = next(self._time)
        try:
            result = func(*args, **kwargs)
            for tensor, version in before:
                if tensor._version != version or getattr(func, "__name__", "") == DETACH:
                    self._note_write(tensor, version, started, func, args, kwargs)
            if matters and type(result) is torch.Tensor:
                self._note_made(result, func)
                self._note_node(result)
            elif now.keeps:
                self._note_nodes(result)
        except RuntimeError as error:
            self._on_error(func, args, kwargs, error)
            raise
        finally:
            now.op, now.place, now.keeps = outer
        return result

    def pack(self, tensor: torch.Tensor) -> object:
        """Note that an op saves `tensor`. Tensors without plain memory are left to torch."""
        with _Off():
            try:
                code = sys._getframe(1).f_code
                custom = code is APPLY or code.co_filename == checkpoint.__file__
                memory = memory_of(tensor)
                kept = LiveSave(
                    self.living, tensor, memory, next(self._time), self.current_place(), self._now.op, custom=custom
                )
            except (RuntimeError, NotImplementedError):
                return tensor.detach()
            self._now.keeps = True
            kept.made = self._made.get(kept.address)
            self.living.add(kept)
            if self.meter is not None:
                self.meter.note_save(kept, tensor)
            return kept

    def unpack(self, kept: object) -> torch.Tensor:
        """Return a save to a backward, after comparing versions as torch does."""
        if not isinstance(kept, LiveSave):
            tensor: torch.Tensor = kept
            return tensor
        with _Off():
            if self.on_unpack is not None:
                self.on_unpack(kept)
            elif kept.alias._version != kept.version or kept.has_lost_history:
                raise mismatch.StaleSaveError(kept)
            return kept.current_tensor()

    def _note_nodes(self, result: object) -> None:
        for tensor in tensors_in(result):
            self._note_node(tensor)

    def _note_node(self, made: torch.Tensor) -> None:
        """Remember on the node that made a tensor which line that was. A view is not asked: that may give it a new
        history."""
        if not made._is_view() and made.grad_fn is not None:
            note_maker(made.grad_fn, self.current_place())

    def _note_made(self, tensor: torch.Tensor, func: TorchFunction) -> None:
        """Remember where `tensor` was made, or that it is a new view of what is kept."""
        address = _memory_address(tensor)
        if address is None:
            return
        view = tensor._is_view()
        kept = self.living.find_saves(address) if address in self.living else []
        if any(save.knows(tensor) for save in kept) or (kept and not view):
            return
        base = tensor._base if view else None
        note = Creation(
            next(self._time), self.current_place(), func, id(tensor), tensor._version,
            not view and tensor.grad_fn is None, bool(tensor.requires_grad), None if base is None else id(base),
        )  # fmt: skip
        for save in kept:
            save.note_view(note)
        if not view:
            self._made[address] = note
            self._made.move_to_end(address)
            if len(self._made) > MADE:
                self._made.popitem(last=False)

    def _note_write(
        self,
        tensor: torch.Tensor,
        before: int,
        started: int,
        func: TorchFunction,
        args: Arguments,
        kwargs: Named,
    ) -> None:
        """Note that the version of `tensor` has moved, if a graph keeps its memory."""
        address = _memory_address(tensor)
        if address is None or address not in self.living:
            return
        with _Off(), torch.no_grad():
            kept = [save for save in self.living.find_saves(address) if share_counter(save.alias, tensor)]
            result = any(save.key > started and save.version == tensor._version for save in kept)
            time = started if result else next(self._time)  # an op saves its result after it has written it
            note = self._build_write_note(tensor, before, time, func, args, kwargs) if kept else None
            if note is not None and any(save.identity != note.tensor for save in kept):
                note = replace(note, aliases=self._name_aliases(address))
        for save in kept:
            assert note is not None
            save.notes.append(note)

    def _name_aliases(self, address: int) -> Mapping[int, str]:
        """Return the names of the user's variables whose memory is at `address`, by the identity of the tensor."""
        variables = self.code.list_variables()
        tensors = {name: value for name, value in variables.items() if isinstance(value, torch.Tensor)}
        return {id(value): name for name, value in tensors.items() if _memory_address(value) == address}

    def _build_write_note(
        self,
        tensor: torch.Tensor,
        before: int,
        time: int,
        func: TorchFunction,
        args: Arguments,
        kwargs: Named,
    ) -> WriteNote:
        frames = self.code.own_frames()
        op = next((op for target, op in written_candidates(func, args, kwargs) if target is tensor), op_name(func))
        place, outermost = (
            self.current_place(),
            (frames[-1].f_code.co_filename, frames[-1].f_lineno) if frames else None,
        )
        actor, writer = refused_write.find_writer(self.code)
        return WriteNote(
            time=time,
            place=place,
            call=outermost if len(frames) > 1 else None,
            op=op,
            spelling=spelling_of(op_name(func), statement_at(*place)),
            tensor=id(tensor),
            name=self.code.name_of(tensor),
            before=before,
            after=tensor._version,
            grad_mode=torch.is_grad_enabled(),
            needs_grad=any(operand.requires_grad for operand in tensors_in((args, kwargs))),
            actor=actor,
            writer=writer,
            alias=tensor.detach(),
        )

    def _on_error(self, func: TorchFunction, args: Arguments, kwargs: Named, error: RuntimeError) -> None:
        """Report an error of torch that refuses a write."""
        with _Off():
            tape = refused_write.build_refused_tape(self.code, func, args, kwargs, error)
        if tape is not None:
            self.report_tape(tape, error)


def _memory_address(tensor: torch.Tensor) -> int | None:
    """Return the address of the memory of `tensor`, None for tensors without plain memory or versions."""
    try:
        return None if tensor.is_inference() else tensor.untyped_storage()._cdata
    except (RuntimeError, NotImplementedError):
        return None


def _tensor_versions(args: Arguments, kwargs: Named) -> list[tuple[torch.Tensor, int]]:
    """Return the tensors among the arguments, and in lists of them (`_foreach_*`), with their versions."""
    found: list[torch.Tensor] = []
    for arg in (*args, *kwargs.values()) if kwargs else args:
        if isinstance(arg, torch.Tensor):
            found.append(arg)
        elif isinstance(arg, (list, tuple)):
            found += [item for item in arg if isinstance(item, torch.Tensor)]
    return [(tensor, tensor._version) for tensor in found if not tensor.is_inference()]
