"""What runs leave on the machine: their folders and shared memory, removed after each of them."""

from __future__ import annotations

import contextlib
import importlib
import os
import stat
import tempfile
import time

from inplace_lsp.worker.kernel import SHARED
from inplace_lsp.worker.processes import Process
from inplace_lsp.worker.removal import remove_tree

FOLDER = "inplace-lsp-"
STALE = 3600.0
"""A run's folder that is this old was left by a worker that was killed: no run takes so long."""


def remove_folder(folder: str) -> tuple[str, ...]:
    """Remove a run's folder; return it if it stays."""
    return () if remove_tree(folder) else (folder,)


def forget_shared_memory(process: Process) -> None:
    """Remove the shared memory that a run has made, if it is still there."""
    for name in process.shared:
        with contextlib.suppress(ImportError, OSError):
            importlib.import_module("_posixshmem").shm_unlink(name)  # not on Windows
    with contextlib.suppress(OSError), os.scandir(SHARED) as entries:
        for entry in entries:  # torch's own has the process in its name
            if entry.name.startswith(f"torch_{process.pid}_") and entry.stat().st_mtime >= process.begun:
                os.unlink(entry.path)


def sweep_stale_folders() -> tuple[str, ...]:
    """Remove the folders that killed workers of this user have left behind; return those that stay. Never raises."""
    left: list[str] = []
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if _is_stale(entry):
                left += remove_folder(entry.path)
    return tuple(left)


def _is_stale(entry: os.DirEntry[str]) -> bool:
    if not entry.name.startswith(FOLDER):
        return False
    try:
        known = entry.stat(follow_symlinks=False)
    except OSError:  # another worker has removed it
        return False
    return stat.S_ISDIR(known.st_mode) and known.st_uid == os.getuid() and time.time() - known.st_mtime > STALE
