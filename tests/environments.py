"""Environments with a package of ours, and a program whose hazard lies in that package."""

from __future__ import annotations

from pathlib import Path

LINUX = "lib/python3.11/site-packages"
PACKAGE = "def rescale(x):\n    x.mul_(2)\n    return x\n"
PROGRAM = """\
import torch
from scaling import rescale

x = torch.rand(3, requires_grad=True)
y = x.exp()
rescale(y)
y.sum().backward()
"""
"""torch 2.13: RuntimeError, y is at version 1, expected version 0."""
ROW = 6
"""Where the program writes, by what the package does."""


def make_environment(folder: Path, layout: str = LINUX, package: str | None = PACKAGE) -> Path:
    """Make an environment with an interpreter and, unless it is None, the package `scaling`; return its folder."""
    interpreter = folder / "bin" / "python"
    interpreter.parent.mkdir(parents=True)
    interpreter.write_text("")
    interpreter.chmod(0o755)
    (folder / layout).mkdir(parents=True)
    if package is not None:
        install(folder / layout, package)
    return folder


def install(packages: Path, text: str = PACKAGE) -> None:
    """Put the package into a folder."""
    (packages / "scaling").mkdir(parents=True)
    (packages / "scaling" / "__init__.py").write_text(text)
