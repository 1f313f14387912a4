"""Memory that other libraries can write: numpy arrays, dlpack, raw storages.

torch cannot see such writes, so from the first export on the bytes are compared after every line of the user's code.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import FrameType
from typing import Protocol, TypeAlias

import torch

from inplace_lsp.tape.model import NEVER, Span, TensorState, Write
from inplace_lsp.worker import arrays
from inplace_lsp.worker.heap import Heap
from inplace_lsp.worker.log import Log, modes_off
from inplace_lsp.worker.places import Places, span_of

Traced: TypeAlias = "Callable[[FrameType, str, object], Traced] | None"
"""What Python calls for each line that runs."""
EXPORTING = {
    "numpy": ".numpy()",
    "__array__": ".numpy()",
    "__dlpack__": "dlpack",
    "untyped_storage": ".untyped_storage()",
    "storage": ".storage()",
    "_typed_storage": ".storage()",
}
"""Names of tensor methods that hand out the memory, and what a reader calls that."""
ARRAY = "the numpy array"
"""What a reader calls the memory of an array that a tensor was made over."""


class Run(Protocol):
    """The part of a recorded run that is needed to log writes."""

    places: Places
    heap: Heap
    log: Log

    def state_of(self, tensor: torch.Tensor) -> TensorState:
        """Return the facts about `tensor`."""

    def current_span(self) -> Span:
        """Return the user's statement that runs now."""


class Exports:
    """The exported memory and its contents at the last check."""

    def __init__(self, recording: Run) -> None:
        self._recording = recording
        self._watched: dict[int, tuple[TensorState, str, torch.Tensor]] = {}
        self._bytes: dict[int, torch.Tensor] = {}
        self._line: Span | None = None
        self._restore: Callable[[], None] | None = None

    def watch_memory(self, tensor: torch.Tensor, how: str) -> None:
        """Check the memory of `tensor` after every line from now on: it was handed out by `how`."""
        if tensor.device.type != "cpu" or (how == ARRAY and arrays.are_in_use()):
            return
        state = self._recording.state_of(tensor)
        content = self._copy_memory(state.storage)
        if content is not None and state.storage not in self._watched:
            self._watched[state.storage] = (state, how, content)
            self._start_tracing()

    def refresh_content(self, storage: int) -> None:
        """Take the contents anew after torch itself wrote to the memory."""
        if storage in self._watched:
            state, how, _ = self._watched[storage]
            content = self._copy_memory(storage)
            if content is not None:
                self._watched[storage] = (state, how, content)

    def log_changes(self) -> None:
        """Log a silent write for every exported memory that has changed since the last check. Torch's modes must be
        off."""
        for storage, (state, how, content) in list(self._watched.items()):
            now = self._bytes_of(storage)
            if now is not None and not torch.equal(now, content):
                self._watched[storage] = (state, how, now.clone())
                self._log_write(state, how)

    @contextmanager
    def watch_numpy(self) -> Iterator[None]:
        """Watch tensors made over a numpy array: no mode of torch sees `from_numpy`."""
        plain = torch.from_numpy

        def from_numpy(array: object) -> torch.Tensor:
            tensor = plain(array)
            with modes_off():
                self.watch_memory(tensor, ARRAY)
            return tensor

        torch.from_numpy = from_numpy
        try:
            yield
        finally:
            torch.from_numpy = plain

    def stop_tracing(self) -> None:
        """Restore the line tracing of before."""
        if self._restore is not None:
            self._restore()
            self._restore = None

    def _log_write(self, state: TensorState, how: str) -> None:
        span, call = self._recording.places.current_statement()
        write = Write(
            self._line or span,
            state,
            how,
            state.version,
            torch.is_grad_enabled(),
            needs_grad=NEVER,
            call=call,
            alias=how,
        )
        self._recording.log.add(write)

    def _copy_memory(self, storage: int) -> torch.Tensor | None:
        """Return a copy of the memory of block `storage`."""
        with modes_off():
            memory = self._bytes_of(storage)
            return None if memory is None else memory.clone()

    def _bytes_of(self, storage: int) -> torch.Tensor | None:
        """Return the memory of block `storage`, which is looked at many times, as bytes. Torch's modes must be off."""
        memory = self._recording.heap.find_memory(storage)
        if memory is None:
            return None
        known = self._bytes.get(storage)
        if known is None or known.numel() != memory.nbytes():
            known = self._bytes[storage] = torch.empty(0, dtype=torch.uint8).set_(memory)
        return known

    def _start_tracing(self) -> None:
        """Have Python report every line of the user's code, in running frames too."""
        if self._restore is None:
            self._restore = partial(sys.settrace, sys.gettrace())
            sys.settrace(self._on_call)
            for frame in self._recording.places.own_frames():
                frame.f_trace = self._on_line
            self._line = self._recording.current_span()

    def _on_call(self, frame: FrameType, event: str, argument: object) -> Traced:
        return self._on_line(frame, event, argument) if self._recording.places.is_own(frame) else None

    def _on_line(self, frame: FrameType, event: str, argument: object) -> Traced:
        """Check before a line runs: the line before has written whatever changed."""
        with modes_off():
            self.log_changes()
        upper = frame.f_back if event == "return" else frame
        if upper is not None and self._recording.places.is_own(upper):
            self._line = span_of(upper)
        return self._on_line
