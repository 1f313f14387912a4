"""Measure what the graphs of a script keep until backward, and find who saved it."""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from weakref import WeakKeyDictionary, WeakSet, ref

import torch
from torch import nn

from inplace_lsp.tape.kept_memory import KeptMemory, KeptTensors, Peak
from inplace_lsp.worker.graph import Roots, learn_saves
from inplace_lsp.worker.naming import op_name
from inplace_lsp.worker.places import statement_at
from inplace_lsp.worker.saves import op_of_node
from inplace_lsp.worker.script.notes import LiveSave
from inplace_lsp.worker.script.own_code import Place
from inplace_lsp.worker.script.watch_protocol import Watched

_CALLS = frozenset({nn.Module._call_impl.__code__})
"""The code that calls a module's `forward`; its `self` is the module."""
_KIBIBYTE = 1024


class _Caller(NamedTuple):
    """The module that is called, and the outermost one around it, in which it has a path."""

    module: ref[nn.Module]
    root: ref[nn.Module]


class _Key(NamedTuple):
    """What makes saved tensors one line of the report."""

    place: Place
    op: str
    role: str
    size: int


@dataclass(frozen=True)
class _Walk:
    """A backward about to start, and what it finds: for each memory, the save that came first."""

    place: Place
    size: int
    firsts: tuple[LiveSave, ...]


class MemoryMeter:
    """Remembers what the graph kept at the start of the backward that found most of it."""

    def __init__(self) -> None:
        self._callers: WeakKeyDictionary[LiveSave, _Caller] = WeakKeyDictionary()
        self._lasting: WeakSet[LiveSave] = WeakSet()
        self._paths: WeakKeyDictionary[nn.Module, dict[int, str]] = WeakKeyDictionary()
        self._largest = KeptMemory(statement_at("?", 1), 0, (), ())

    def note_save(self, kept: LiveSave, tensor: torch.Tensor) -> None:
        """Note which module saves `tensor`, and whether that lives anyway: a parameter, a buffer, or a view of one."""
        modules = list(_running_modules())
        if modules:
            self._callers[kept] = _Caller(ref(modules[0]), ref(modules[-1]))
        owner = tensor if tensor._base is None else tensor._base
        buffers = modules[0]._buffers.values() if modules else ()
        if (owner.is_leaf and owner.requires_grad) or any(owner is buffer for buffer in buffers):
            self._lasting.add(kept)

    def note_walk(self, watch: Watched, roots: Roots) -> None:
        """Measure what is kept at the start of a backward from `roots`."""
        walk = self._measure(watch)
        if walk.size <= self._largest.size:
            return
        learn_saves(watch, watch, roots)
        self._largest = KeptMemory(statement_at(*walk.place), walk.size, tuple(self._list_tensors(walk)), ())

    def report(self, rank: int | None) -> KeptMemory:
        """Return what was measured. `rank`: that of this process, if a launcher gave it one."""
        largest = self._largest
        return KeptMemory(largest.backward, largest.size, largest.tensors, tuple(_find_peaks()), rank)

    def _measure(self, watch: Watched) -> _Walk:
        firsts = {}
        for address in watch.living.list_addresses():
            saves = watch.living.find_saves(address)
            if saves and self._lasting.isdisjoint(saves):
                firsts[address] = saves[0]
        size = sum(map(_size_of, firsts.values()))
        return _Walk(watch.current_place(), size, tuple(firsts.values()))

    def _list_tensors(self, walk: _Walk) -> Iterator[KeptTensors]:
        groups: dict[_Key, list[LiveSave]] = defaultdict(list)
        for kept in walk.firsts:
            op = op_name(kept.op) if kept.op is not None else op_of_node(kept.node)
            groups[_Key(kept.place, op, kept.role, _size_of(kept))].append(kept)
        for key, saves in sorted(groups.items(), key=lambda group: -group[0].size * len(group[1])):
            modules = dict.fromkeys(filter(None, map(self._name_module, saves)))
            shape, count = tuple(saves[0].alias.shape), len(saves)
            span = statement_at(*key.place)
            yield KeptTensors(span, key.op, key.role, shape, count, key.size * count, tuple(modules))

    def _name_module(self, kept: LiveSave) -> str:
        """Return the path and the class of the module that saved; "" outside of one."""
        caller = self._callers.get(kept)
        module, root = (caller.module(), caller.root()) if caller is not None else (None, None)
        if module is None or root is None:
            return ""
        if root not in self._paths:
            self._paths[root] = {id(part): path for path, part in root.named_modules()}
        path = self._paths[root].get(id(module), "")
        return f"{path} ({type(module).__name__})" if path else type(module).__name__


def _running_modules() -> Iterator[nn.Module]:
    """Yield the modules whose `forward` runs, the innermost first."""
    frame = sys._getframe(1)
    while frame.f_back is not None:
        frame = frame.f_back
        if frame.f_code in _CALLS:
            yield frame.f_locals["self"]


def _size_of(kept: LiveSave) -> int:
    """Return the bytes of the memory that a save keeps."""
    return int(kept.alias.untyped_storage().nbytes())


def _find_peaks() -> Sequence[Peak]:
    """Return the peak of each CUDA device's allocator, or, without any, that of the process where the system counts
    it."""
    if torch.cuda.is_available() and torch.cuda.is_initialized():
        peaks = {f"cuda:{at}": torch.cuda.max_memory_allocated(at) for at in range(torch.cuda.device_count())}
        return [Peak(device, size) for device, size in peaks.items() if size]
    try:
        import resource  # noqa: PLC0415 - not on Windows
    except ImportError:
        return ()
    unit = 1 if sys.platform == "darwin" else _KIBIBYTE
    return (Peak("", resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit),)
