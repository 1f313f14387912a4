"""Runs the command line within the test's own process."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from inplace_lsp import config
from inplace_lsp.cli.commands import command_group
from inplace_lsp.environments.find import forget_environments

HAZARD = """\
import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)
y.sum().backward()
"""
"""torch 2.13: RuntimeError, y is at version 1, expected version 0. The write is on row 5."""

FINE = "import torch\n\nx = torch.rand(3, requires_grad=True)\ny = x + 1\ny.add_(1)\ny.sum().backward()\n"


def inplace_lsp(*arguments: str | Path, stdin: str | bytes | None = None) -> Result:
    """Run `inplace-lsp` with these arguments; an exception in it fails the test."""
    config.forget_configs()
    forget_environments()
    result = CliRunner().invoke(
        command_group, [str(argument) for argument in arguments], input=stdin, catch_exceptions=False
    )
    assert "Traceback" not in result.output
    return result


def found(*arguments: str | Path, stdin: str | bytes | None = None) -> list[dict[str, Any]]:
    """The findings of `inplace-lsp check` with these arguments, from its JSON."""
    answer: list[dict[str, Any]] = json.loads(
        inplace_lsp("check", "--output-format", "json", *arguments, stdin=stdin).stdout
    )
    return answer


def rows(*arguments: str | Path, stdin: str | bytes | None = None) -> list[tuple[str, int, str]]:
    """File name, row and code of every finding."""
    answer = found(*arguments, stdin=stdin)
    return [(Path(finding["filename"]).name, finding["location"]["row"], finding["code"]) for finding in answer]
