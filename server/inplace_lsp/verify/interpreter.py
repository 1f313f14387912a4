"""Which Python runs the user's code: the one asked for, else the one of the environment the project lives in."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

FOLDERS = (".venv", "venv")


def choose(filename: str, setting: str | None = None, environment: Mapping[str, str] = os.environ) -> str:
    """The interpreter for `filename`: the setting, VIRTUAL_ENV, a .venv above the file, python3, this Python."""
    return next(_options(filename, setting, environment))


def _options(filename: str, setting: str | None, environment: Mapping[str, str]) -> Iterator[str]:
    if setting:
        yield os.path.expanduser(setting)
    folders = [environment["VIRTUAL_ENV"]] if environment.get("VIRTUAL_ENV") else []
    above = Path(filename).absolute().parents
    folders += [str(parent / name) for parent in above for name in FOLDERS]
    yield from (python for folder in folders if (python := _python_of(folder)))
    for name in ("python3", "python"):
        if found := shutil.which(name, path=environment.get("PATH")):
            yield found
    yield sys.executable


def _python_of(folder: str) -> str | None:
    """The interpreter of a virtual environment; None if the folder is none."""
    for inside in ("bin/python", "Scripts/python.exe"):
        python = os.path.join(folder, *inside.split("/"))
        if os.access(python, os.X_OK):
            return python
    return None
