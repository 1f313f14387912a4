"""Measure the memory that a run needs besides what it was given: its peak, and what is alive after each line."""

from __future__ import annotations

import contextlib
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import ref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from inplace_lsp.tape.kept_memory import KeptTensors
from inplace_lsp.tape.memory_use import MemoryStep, MemoryUse
from inplace_lsp.tape.model import Span
from inplace_lsp.worker.places import Places

MOST_STEPS = 2000
MOST_KEPT = 50
ALLOCATOR = "the allocator of {}"
PROFILER = "the allocator of the CPU, by torch.profiler"


@dataclass
class Peak:
    """The most memory that was allocated at a time, in bytes, beyond what was before."""

    size: int = 0
    counter: str = ""


@contextlib.contextmanager
def measure_peak(device: str) -> Iterator[Peak]:
    """Measure the peak of what runs meanwhile, as the device's own allocator counts."""
    peak = Peak()
    with _measure_cuda(device, peak) if device.startswith("cuda") else _measure_cpu(peak):
        yield peak


@contextlib.contextmanager
def _measure_cuda(device: str, peak: Peak) -> Iterator[None]:
    torch.cuda.synchronize(device)
    torch.cuda.reset_peak_memory_stats(device)
    before = torch.cuda.memory_allocated(device)
    yield
    torch.cuda.synchronize(device)
    peak.size, peak.counter = torch.cuda.max_memory_allocated(device) - before, ALLOCATOR.format(device)


@contextlib.contextmanager
def _measure_cpu(peak: Peak) -> Iterator[None]:
    with torch.autograd.profiler.profile(use_kineto=True, profile_memory=True) as profile:
        yield
    events = profile.kineto_results.events()
    cpu = torch.autograd.DeviceType.CPU
    changes = [
        (_start_of(event), event.nbytes()) for event in events if _is_change(event) and event.device_type() == cpu
    ]
    alive = 0
    for _, change in sorted(changes, key=lambda each: each[0]):
        alive += change
        peak.size = max(peak.size, alive)
    peak.counter = PROFILER


def _start_of(event: Any) -> int:
    """Return the time of an event of the profiler; torch before 2.4 may know it in microseconds only."""
    start = getattr(event, "start_ns", None) or event.start_us
    return int(start())


def _is_change(event: Any) -> bool:
    """Return whether an event of the profiler is an allocation or its end."""
    return bool(event.name() == "[memory]")


@dataclass(frozen=True)
class _Made:
    """Who made the memory of a tensor."""

    span: Span
    op: str
    shape: tuple[int, ...]
    size: int


class LiveMemory(TorchDispatchMode):  # type: ignore[misc]
    """Counts the tensors that are alive after each op of a run."""

    def __init__(self, places: Places) -> None:
        super().__init__()
        self._places = places
        self._alive: dict[int, _Made] = {}
        self._known: dict[int, object] = {}
        self._leaves: set[int] = set()
        self._size = 0
        self._steps: list[MemoryStep] = []
        self._kept: tuple[KeptTensors, ...] | None = None

    def __torch_dispatch__(
        self, func: Any, types: object, args: tuple[Any, ...] = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        walking = torch._C._current_graph_task_id() != -1
        if walking and self._kept is None:
            self._kept = tuple(self._list_kept())
        for tensor in _tensors((args, kwargs)):
            self._note_given(tensor)
        result = func(*args, **(kwargs or {}))
        span, _ = self._places.current_statement()
        for tensor in _tensors(result):
            self._note_made(tensor, _Made(span, func._schema.name.partition("::")[2], tuple(tensor.shape), 0))
        self._note_step(span, walking=walking)
        return result

    def describe(self, peak: Peak) -> MemoryUse:
        """Return what was counted, with a peak that was measured besides."""
        kept = tuple(self._list_kept()) if self._kept is None else self._kept
        return MemoryUse(peak.size, peak.counter, tuple(self._steps), kept)

    def _note_given(self, tensor: torch.Tensor) -> None:
        """Note the memory of what an op is given; that of a leaf (a parameter) is kept by no op."""
        storage = _storage_of(tensor)
        if storage is None:
            return
        self._know(storage)
        if tensor.is_leaf and tensor.requires_grad:
            self._leaves.add(storage._cdata)

    def _note_made(self, tensor: torch.Tensor, made: _Made) -> None:
        storage = _storage_of(tensor)
        if storage is None or not self._know(storage):
            return
        size = int(storage.nbytes())
        self._size += size
        self._alive[storage._cdata] = _Made(made.span, made.op, made.shape, size)

    def _know(self, storage: torch.UntypedStorage) -> bool:
        """Note that there is this memory; return whether that is news."""
        key = storage._cdata
        if key in self._known:
            return False
        self._known[key] = ref(storage, lambda _: self._forget(key))
        return True

    def _forget(self, key: int) -> None:
        self._known.pop(key, None)
        self._leaves.discard(key)
        made = self._alive.pop(key, None)
        self._size -= made.size if made is not None else 0

    def _note_step(self, span: Span, *, walking: bool) -> None:
        last = self._steps[-1] if self._steps else None
        if last is not None and (last.span, last.walking) == (span, walking):
            self._steps[-1] = MemoryStep(span, max(self._size, last.size), walking)
        elif len(self._steps) < MOST_STEPS:
            self._steps.append(MemoryStep(span, self._size, walking))

    def _list_kept(self) -> Iterator[KeptTensors]:
        groups: dict[tuple[Span, str, int], list[_Made]] = defaultdict(list)
        for key, made in self._alive.items():
            if key not in self._leaves:
                groups[made.span, made.op, made.size].append(made)
        largest = sorted(groups.items(), key=lambda group: -group[0][2] * len(group[1]))
        for (span, op, size), those in largest[:MOST_KEPT]:
            yield KeptTensors(span, op, "", those[0].shape, len(those), size * len(those), ())


def _tensors(values: object) -> Sequence[torch.Tensor]:
    return [value for value in tree_leaves(values) if isinstance(value, torch.Tensor)]


def _storage_of(tensor: torch.Tensor) -> torch.UntypedStorage | None:
    """Return the memory of a tensor; None for one that has none of its own."""
    with contextlib.suppress(RuntimeError, NotImplementedError):
        return tensor.untyped_storage()
    return None
