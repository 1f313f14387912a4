"""The quick way to the server: what its imports compile is compiled once, and kept as Python keeps its byte code.

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
    """`server.serve`, started quickly. Raises OSError if `log_file` cannot be written."""
    import attr._make  # noqa: PLC0415 - all of this is for the sake of when things are imported

    with compiled_once((attr._make, dataclasses), _kept(".code")):
        from inplace_lsp.lsp.server import serve as start  # noqa: PLC0415

    return start(log_file, log_level)


def load_analysis() -> None:
    """Import the analysis, quickly too."""
    with compiled_once((dataclasses,), _kept(".analysis.code")):
        importlib.import_module("inplace_lsp.lsp.analysis")


def _kept(suffix: str) -> Path:
    """Where the code is kept: beside the byte code of this module, for the same Python."""
    return Path(importlib.util.cache_from_source(__file__)).with_suffix(suffix)


@contextmanager
def compiled_once(makers: Sequence[Any], kept: Path) -> Iterator[None]:
    """Within this block `compile` and `exec`, as the modules `makers` call them, take code from the file `kept`, and
    what is new goes there.

    A file that cannot be read or written costs the time it would have saved, and nothing else.
    """
    known = _read(kept)
    used: dict[str, CodeType] = {}

    def remembered(source: str, filename: str, mode: str) -> CodeType:
        key = f"{mode} {filename}\n{source}"
        used[key] = known.get(key) or compile(source, filename, mode)
        return used[key]

    def executed(source: str, names: dict[str, Any], made: dict[str, Any]) -> None:
        exec(remembered(source, "<string>", "exec"), names, made)

    for module in makers:
        module.compile, module.exec = remembered, executed
    try:
        yield
    finally:
        for module in makers:
            del module.compile, module.exec
    if used.keys() - known.keys() and not sys.dont_write_bytecode:
        _write(kept, used)


def _read(kept: Path) -> dict[str, CodeType]:
    try:
        found = marshal.loads(kept.read_bytes())
    except (OSError, ValueError, EOFError, TypeError):
        return {}
    return found if isinstance(found, dict) else {}


def _write(kept: Path, known: dict[str, CodeType]) -> None:
    """All at once: another server may be reading it."""
    beside = kept.with_suffix(f".{os.getpid()}")
    try:
        beside.write_bytes(marshal.dumps(known))
        beside.replace(kept)
    except OSError:
        beside.unlink(missing_ok=True)
