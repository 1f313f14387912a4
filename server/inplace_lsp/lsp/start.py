"""Start the server quickly: code that imports generate is compiled once, and cached like Python's byte code.

attrs and dataclasses write the methods of each class as source and compile it when the class is made: for the 554
classes of lsprotocol and our own that is a third of what all imports take. The same source always gives the same code.
"""

from __future__ import annotations

import dataclasses
import importlib.util
import marshal
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import CodeType
from typing import Any


def serve(log_file: str | None = None, log_level: str = "warning") -> int:
    """Run `server.serve` with cached code. Raises OSError if `log_file` cannot be written."""
    import attr._make  # noqa: PLC0415 - all of this is for the sake of when things are imported

    with compiled_once((attr._make, dataclasses), _cache_path(".code")):
        from inplace_lsp.lsp.server import serve as start  # noqa: PLC0415

    return start(log_file, log_level)


def load_analysis() -> None:
    """Import the analysis, with cached code too."""
    with compiled_once((dataclasses,), _cache_path(".analysis.code")):
        importlib.import_module("inplace_lsp.lsp.analysis")


def _cache_path(suffix: str) -> Path:
    """Return the path of the cached code: beside the byte code of this module, for the same Python."""
    return Path(importlib.util.cache_from_source(__file__)).with_suffix(suffix)


@contextmanager
def compiled_once(makers: Sequence[Any], kept: Path) -> Iterator[None]:
    """Let `compile` and `exec`, as the modules `makers` call them, take code from the file `kept` within this block,
    and add new code to it.

    A file that cannot be read or written costs the time it would have saved, and nothing else.
    """
    known = _read_cache(kept)
    used: dict[str, CodeType] = {}

    def compile_remembered(source: str, filename: str, mode: str) -> CodeType:
        key = f"{mode} {filename}\n{source}"
        used[key] = known.get(key) or compile(source, filename, mode)
        return used[key]

    def exec_remembered(source: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        exec(compile_remembered(source, "<string>", "exec"), names, made)

    for module in makers:
        module.compile, module.exec = compile_remembered, exec_remembered
    try:
        yield
    finally:
        for module in makers:
            del module.compile, module.exec
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
