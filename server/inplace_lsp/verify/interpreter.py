"""Choose the Python that runs the user's code: the configured one, else the project's environment."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from inplace_lsp.config import usable_config
from inplace_lsp.environments.find import find_environments, find_on_path
from inplace_lsp.verify.payload import leave_out_line


def choose_interpreter(filename: str, setting: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """Return the interpreter for `filename`: the setting, which may name the folder of its environment, or that of the
    first of `environments.find`, else python3.

    If python3 has no torch but the Python that runs this program has, return that one.
    """
    file = Path(filename).absolute()
    named = os.path.expanduser(setting) if setting else usable_config(file.parent).python
    if named and not os.path.isdir(named):
        return named
    found = find_environments(str(file.parent), named, environment)
    chosen = next(filter(None, (place.find_interpreter() for place in found)), None)
    if chosen is not None:
        return chosen
    python = find_on_path(environment) or sys.executable
    return sys.executable if find_spec("torch") and not _has_torch(python) else python


def _has_torch(python: str) -> bool:
    """Return whether that interpreter finds torch; it is not loaded."""
    look = f"{leave_out_line()}; import importlib.util; sys.exit(importlib.util.find_spec('torch') is None)"
    try:
        return subprocess.run([python, "-c", look], capture_output=True, timeout=20, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False
