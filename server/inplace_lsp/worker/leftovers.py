"""What runs leave on the machine: their folders and shared memory, removed after each of them."""

from __future__ import annotations

import contextlib
import importlib
import os
import shutil
import tempfile
import time

from inplace_lsp.worker.kernel import SHARED
from inplace_lsp.worker.processes import Process

FOLDER = "inplace-lsp-"
STALE = 3600.0
"""A run's folder that is this old was left by a worker that was killed: no run takes so long."""


def remove_folder(folder: str) -> None:
    """Remove a run's folder, with what the run has locked in it."""
    shutil.rmtree(folder, ignore_errors=True)
    if os.path.isdir(folder):
        for path, _, _ in os.walk(folder):
            with contextlib.suppress(OSError):
                os.chmod(path, 0o700)
        shutil.rmtree(folder, ignore_errors=True)


def forget_shared_memory(process: Process) -> None:
    """Remove the shared memory that a run has made, if it is still there."""
    for name in process.shared:
        with contextlib.suppress(ImportError, OSError):
            importlib.import_module("_posixshmem").shm_unlink(name)  # not on Windows
    with contextlib.suppress(OSError), os.scandir(SHARED) as entries:
        for entry in entries:  # torch's own has the process in its name
            if entry.name.startswith(f"torch_{process.pid}_") and entry.stat().st_mtime >= process.begun:
                os.unlink(entry.path)


def sweep_stale_folders() -> None:
    """Remove the folders that killed workers of this user have left behind."""
    with contextlib.suppress(OSError), os.scandir(tempfile.gettempdir()) as entries:
        for entry in entries:
            if entry.name.startswith(FOLDER) and entry.is_dir(follow_symlinks=False):
                known = entry.stat(follow_symlinks=False)
                if known.st_uid == os.getuid() and time.time() - known.st_mtime > STALE:
                    shutil.rmtree(entry.path, ignore_errors=True)
