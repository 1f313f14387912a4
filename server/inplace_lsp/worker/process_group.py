"""Programs for several processes, in a run on the CPU: a group of one process, which is this one.

What a launcher would have set in the environment is found by those who read it, and not by those who ask whether it is
there: they have another way.
"""

from __future__ import annotations

import inspect
import os
import sys
from collections import UserDict
from collections.abc import Callable, MutableMapping, Sequence
from functools import wraps
from typing import Any

import torch
from torch import distributed

NOTE = "the group of processes was made up: it is this one alone"
_SET_BY_LAUNCHERS = {
    "RANK": "0",
    "LOCAL_RANK": "0",
    "WORLD_SIZE": "1",
    "LOCAL_WORLD_SIZE": "1",
    "MASTER_ADDR": "127.0.0.1",
    "MASTER_PORT": "29500",
}


_kept: list[object] = []
"""The groups that were made. To take one down is to wait for its threads, which may wait for Python in turn."""
_ENVIRONMENT: Any = type(os.environ)
_read: Callable[[object, str], str] = _ENVIRONMENT.__getitem__
_begin: Callable[..., None] | None = getattr(distributed, "init_process_group", None)
_REPLICATED: Any = torch.nn.parallel.DistributedDataParallel
_replicate: Callable[..., None] = _REPLICATED.__init__


def make_up_groups(note: Callable[[str], object]) -> None:
    """Let programs make a group of this process alone, from now on in it. `note` gets a sentence about it."""
    if _begin is None:
        return
    begin = _begin
    if distributed.is_initialized():  # by an earlier try in this process
        distributed.destroy_process_group()

    @wraps(begin)
    def begin_alone(*_given: object, **_named: object) -> None:
        note(NOTE)
        begin("gloo", store=distributed.HashStore(), rank=0, world_size=1)
        _kept.append(distributed.group.WORLD)

    vars(distributed)["init_process_group"] = begin_alone
    torch.nn.SyncBatchNorm.convert_sync_batchnorm = staticmethod(lambda module, process_group=None: module)
    _start_once(note)
    _answer_readers()
    _leave_out_devices()


def _start_once(note: Callable[[str], object]) -> None:
    """Let `spawn`, and what it is made of, call a function once and at once: nobody is left to wait for."""
    module = sys.modules["torch.multiprocessing.spawn"]  # the package has the function under this name

    def start_processes(
        fn: Callable[..., object],
        args: Sequence[object] = (),
        nprocs: int = 1,
        join: bool = True,
        *_how: object,
        **_named: object,
    ) -> object:
        note(NOTE)
        fn(0, *args)
        return None if join else module.ProcessContext([], [])

    vars(module)["start_processes"] = vars(torch.multiprocessing)["start_processes"] = start_processes


def _answer_readers() -> None:
    """Let the environment give what a launcher sets to those who read it by its name."""

    def get_item(self: object, key: str) -> str:
        try:
            return _read(self, key)
        except KeyError:
            if key not in _SET_BY_LAUNCHERS:
                raise
            return _SET_BY_LAUNCHERS[key]

    def is_there(self: object, key: str) -> bool:
        try:
            _read(self, key)
        except KeyError:
            return False
        return True

    def get(self: object, key: str, default: Any = None) -> Any:
        return _read(self, key) if is_there(self, key) else default

    def pop(self: Any, key: str, *default: Any, **named: Any) -> Any:
        return MutableMapping.pop(self if is_there(self, key) else UserDict(), key, *default, **named)

    methods = {"__getitem__": get_item, "__contains__": is_there, "get": get, "pop": pop}
    for name, method in methods.items():
        setattr(_ENVIRONMENT, name, method)


def _leave_out_devices() -> None:
    """Let modules on the CPU be replicated for a device: it is the CPU. There is nobody to give buffers to."""
    signature = inspect.signature(_replicate)

    @wraps(_replicate)
    def made(*given: object, **named: object) -> None:
        bound = signature.bind(*given, **named)
        bound.arguments.update(device_ids=None, output_device=None, broadcast_buffers=False)
        _replicate(*bound.args, **bound.kwargs)

    _REPLICATED.__init__ = made
