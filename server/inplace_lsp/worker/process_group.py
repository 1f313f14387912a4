"""Programs for several processes, where there is no GPU for them: a group of one process, which is this one.

What a launcher would have set in the environment is found by those who read it, and not by those who ask whether it is
there: they have another way.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import distributed, multiprocessing

NOTE = "the group of processes was made up: it is this one alone"
_SET_BY_LAUNCHERS = {
    "RANK": "0",
    "LOCAL_RANK": "0",
    "WORLD_SIZE": "1",
    "LOCAL_WORLD_SIZE": "1",
    "MASTER_ADDR": "127.0.0.1",
    "MASTER_PORT": "29500",
}


def make_up_groups(note: Callable[[str], object]) -> None:
    """Let programs make a group of this process alone, from now on in it. `note` gets a sentence about it."""
    if not distributed.is_available() or torch.cuda.is_available():
        return
    begin: Callable[..., None] = distributed.init_process_group

    def begin_alone(*_given: object, **_named: object) -> None:
        note(NOTE)
        begin("gloo", store=distributed.HashStore(), rank=0, world_size=1)

    def call_once(function: Callable[..., object], args: Sequence[object] = (), *_: object, **_named: object) -> None:
        note(NOTE)
        function(0, *args)

    vars(distributed)["init_process_group"] = begin_alone
    vars(multiprocessing)["spawn"] = call_once
    torch.nn.SyncBatchNorm.convert_sync_batchnorm = staticmethod(lambda module, *_group: module)
    _answer_readers()
    _leave_out_devices()


def _answer_readers() -> None:
    """Let the environment give what a launcher sets to those who read it by its name."""
    kind: Any = type(os.environ)
    read = kind.__getitem__

    def get_item(self: Any, name: str) -> str:
        try:
            return str(read(self, name))
        except KeyError:
            if name not in _SET_BY_LAUNCHERS:
                raise
            return _SET_BY_LAUNCHERS[name]

    def is_there(self: Any, name: object) -> bool:
        try:
            read(self, name)
        except (KeyError, TypeError):
            return False
        return True

    kind.__getitem__, kind.__contains__ = get_item, is_there
    kind.get = lambda self, name, otherwise=None: read(self, name) if is_there(self, name) else otherwise


def _leave_out_devices() -> None:
    """Let modules on the CPU be replicated for a device: it is the CPU. There is nobody to give buffers to."""
    replicated: Any = torch.nn.parallel.DistributedDataParallel
    make = replicated.__init__

    def made(self: object, module: torch.nn.Module, *_devices: object, **named: object) -> None:
        more = {name: value for name, value in named.items() if name not in ("device_ids", "output_device")}
        make(self, module, **{**more, "broadcast_buffers": False})

    replicated.__init__ = made
