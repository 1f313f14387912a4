"""Answers that cost a run of torch or a long analysis: found out once for a state of the code, and kept.

They lie in pytest's own cache folder, which the workers of a run share and the next run finds: what depends on files
that have not changed is not found out again (`pytest --cache-clear` forgets it all). Without pytest nothing is kept.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import pickle
import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import inplace_lsp

Answer = TypeVar("Answer")

TESTS = Path(__file__).parent
PACKAGE = Path(inplace_lsp.__file__).parent
STATES = 3
"""So many states of the code are remembered of each kind of answer; those that nothing was added to for longest go."""

_folder: Path | None = None


def keep_in(folder: Path) -> None:
    """Keep answers in `folder` from now on."""
    global _folder  # noqa: PLW0603
    _folder = folder


def kept(kind: str, code: Iterable[Path], question: tuple[str, ...], find_out: Callable[[], Answer]) -> Answer:
    """Return what `find_out` gives, from an earlier time if there is one.

    `code`: the files and folders of code that the answer depends on, besides the installed packages. `question`: what
    distinguishes it from other answers of its `kind`. Whoever asks first finds out; a second worker waits for that.
    """
    if _folder is None:
        return find_out()
    from filelock import FileLock

    name = hashlib.sha256("\0".join(question).encode("utf-8", "surrogatepass")).hexdigest()[:32]
    file = _folder / kind / state_of(tuple(code)) / name
    with suppress(OSError):
        return _read(file)
    file.parent.mkdir(parents=True, exist_ok=True)
    with FileLock(file.parent / f"{name[:2]}.lock"):
        with suppress(OSError):
            return _read(file)
        answer = find_out()
        unfinished = file.with_suffix(".unfinished")
        unfinished.write_bytes(pickle.dumps(answer))
        unfinished.replace(file)
    return answer


def _read(file: Path) -> Any:
    return pickle.loads(file.read_bytes())


@cache
def state_of(code: tuple[Path, ...]) -> str:
    """Return a digest of these files, of those in these folders, of Python, and of all that is installed."""
    files = sorted(file for path in code for file in (path.rglob("*") if path.is_dir() else [path]))
    digest = hashlib.sha256(f"{sys.version}\n{_installed()}".encode())
    for file in files:
        if file.is_file() and file.suffix != ".pyc":
            digest.update(f"{file}\n".encode() + file.read_bytes())
    return digest.hexdigest()[:16]


@cache
def _installed() -> str:
    """Return the names and versions of the installed packages."""
    folders = {Path(str(distribution.locate_file(""))) for distribution in importlib.metadata.distributions()}
    return "\n".join(sorted(path.name for folder in folders for path in folder.glob("*.dist-info")))


def forget_old() -> None:
    """Remove the answers of all but the latest states of the code."""
    for kind in [] if _folder is None else _folder.iterdir():
        states = sorted(kind.iterdir(), key=lambda folder: folder.stat().st_mtime, reverse=True)
        for old in states[STATES:]:
            shutil.rmtree(old, ignore_errors=True)
