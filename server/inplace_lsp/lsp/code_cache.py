"""Compile code that imports generate once, and cache it like Python's byte code.

attrs and dataclasses write the methods of each class as source and compile it when the class is made: for the 554
classes of lsprotocol and our own that is a third of what all imports take. The same source always gives the same code.
"""

from __future__ import annotations

import importlib.util
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType, ModuleType


def find_cache_path(suffix: str) -> Path:
    """Return the path of the cached code: beside the byte code of this module, for the same Python."""
    return Path(importlib.util.cache_from_source(__file__)).with_suffix(suffix)


@contextmanager
def compile_once(makers: Sequence[ModuleType], kept: Path) -> Iterator[None]:
    """Let `compile` and `exec`, as the modules `makers` call them, take code from the file `kept` within this block,
    and add new code to it.

    If the file cannot be read or written, only the saved time is lost.
    """
    known = _read_cache(kept)
    used: dict[str, CodeType] = {}

    def compile_with_cache(source: str, filename: str, mode: str) -> CodeType:
        key = f"{mode} {filename}\n{source}"
        used[key] = known.get(key) or compile(source, filename, mode)
        return used[key]

    def execute_with_cache(source: str, names: dict[str, object], made: dict[str, object]) -> None:
        exec(compile_with_cache(source, "<string>", "exec"), names, made)

    for module in makers:
        vars(module).update(compile=compile_with_cache, exec=execute_with_cache)
    try:
        yield
    finally:
        for module in makers:
            del vars(module)["compile"], vars(module)["exec"]
    if used.keys() - known.keys() and not sys.dont_write_bytecode:
        _write_cache(kept, used)


def _read_cache(kept: Path) -> dict[str, CodeType]:
    try:
        found = marshal.loads(kept.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _write_cache(kept: Path, known: dict[str, CodeType]) -> None:
    """Write the cache at once: another server may be reading it."""
    beside = kept.with_suffix(f".{os.getpid()}")
    try:
        beside.write_bytes(marshal.dumps(known))
        beside.replace(kept)
    except OSError:
        beside.unlink(missing_ok=True)
