"""Choose the Python that runs the user's code: the configured one, else the project's environment."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from pathlib import Path

FOLDERS = (".venv", "venv")
NAMES = ("python3", "python")


def choose_interpreter(filename: str, setting: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the interpreter for `filename`: the setting, VIRTUAL_ENV, a .venv above the file, else python3.

    If python3 has no torch but the Python that runs this program has, return that one.
    """
    if setting:
        return os.path.expanduser(setting)
    chosen = next(_project_interpreters(filename, environment), None)
    if chosen is not None:
        return chosen
    python = next(filter(None, (shutil.which(name, path=environment.get("PATH")) for name in NAMES)), sys.executable)
    return sys.executable if find_spec("torch") and not _has_torch(python) else python


def _project_interpreters(filename: str, environment: Mapping[str, str]) -> Iterator[str]:
    folders = [environment["VIRTUAL_ENV"]] if environment.get("VIRTUAL_ENV") else []
    above = Path(filename).absolute().parents
    folders += [str(parent / name) for parent in above for name in FOLDERS]
    yield from (python for folder in folders if (python := _python_of(folder)))


def _has_torch(python: str) -> bool:
    """Return whether that interpreter finds torch; it is not loaded."""
    look = "import importlib.util, sys; sys.exit(importlib.util.find_spec('torch') is None)"
    try:
        return subprocess.run([python, "-c", look], capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def _python_of(folder: str) -> str | None:
    """Return the interpreter of a virtual environment; None if the folder is none."""
    for inside in ("bin/python", "Scripts/python.exe"):
        python = os.path.join(folder, *inside.split("/"))
        if os.access(python, os.X_OK):
            return python
    return None
