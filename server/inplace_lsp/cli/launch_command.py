"""The command line that runs one of our programs, directly or by a launcher such as torchrun or srun."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence

from inplace_lsp.verify.launch import Launch

STARTS_PYTHON = ("accelerate", "deepspeed", "python", "torchrun")
"""Launchers that take a script and start the interpreter themselves; others take the interpreter."""
NO_PYTHON = ("--no-python", "--no_python")
"""Their options that make them take a command instead."""


def make_command_line(launch: str, python: str, program: Sequence[str]) -> list[str]:
    """Return the command that runs `program`, a script and its arguments, under `python` or the command `launch`.
    Raises LaunchError if that cannot be parsed."""
    command = Launch.parse(python, launch).command
    if not command:
        return [python, *program]
    beside = os.pathsep.join([os.path.dirname(python), os.environ.get("PATH", os.defpath)])
    first = shutil.which(command[0], path=beside) or command[0]
    interpreter = [] if _starts_python(command) else [python]
    return [first, *command[1:], *interpreter, *program]


def _starts_python(command: Sequence[str]) -> bool:
    name = os.path.basename(command[0])
    return name.startswith(STARTS_PYTHON) and not any(option in command for option in NO_PYTHON)
