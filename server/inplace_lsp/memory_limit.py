"""What analyses keep between files has a bound: a process that has grown large gives it back.

Parsed modules, units and signatures are kept, so that files that import the same need not read it again. Of a tree of a
million lines that would be more than a gigabyte.
"""

from __future__ import annotations

import ctypes
import functools
import gc
import os
import sys
from dataclasses import dataclass

LARGE = 256 << 20
"""Bytes of memory beyond which a process gives back what it keeps: a check of timm ends before, at 250 MiB. What is
freed leaves holes, so that less is gained the later it is done."""
MORE = 60 << 20
"""Bytes that it may grow by before it does so again: not all of its memory is what it keeps."""


@dataclass
class _Limit:
    """The size at which a process gives back next."""

    size: int = LARGE


_limit = _Limit()


def give_back_memory() -> bool:
    """Free what the last analysis left behind in cycles, and forget what is kept if this process has grown large
    (Linux); return whether it has. Call it between files.

    Only what was made since the last call is searched for cycles: a search of everything that a large process keeps
    takes as long as a dozen files.
    """
    gc.collect(0)
    size = _resident_size()
    if size <= _limit.size:
        return False
    _forget_all()
    _limit.size = max(LARGE, _resident_size() + MORE)
    return True


def _forget_all() -> None:
    from inplace_lsp import engine  # noqa: PLC0415 - who checks one file by name need not load it for this

    engine.forget_files()
    gc.unfreeze()
    gc.collect()
    for kept in gc.get_objects():
        if type(kept) is functools._lru_cache_wrapper and _is_of_programs(kept):
            kept.cache_clear()
    gc.collect()
    gc.freeze()
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)


def _is_of_programs(kept: functools._lru_cache_wrapper[object]) -> bool:
    """Return whether a cache of ours grows with the programs that are analysed; those without a limit are tables."""
    return str(kept.__module__).startswith(__package__) and kept.cache_parameters()["maxsize"] is not None


def _resident_size() -> int:
    """Return the memory that this process has, in bytes; 0 where the system does not tell."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, ValueError, IndexError):
        return 0
