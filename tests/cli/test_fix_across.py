"""`check --fix` where a call in one file makes a write in another a hazard: both files are repaired as one program."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import pytest

from cli.commandline import inplace_lsp

HELPERS = """\
def scale(values):
    values.mul_(2)
    return values
"""
TRAIN = """\
import torch

from helpers import scale

x = torch.rand(3, requires_grad=True)
y = x.exp()
z = scale(y)
z.sum().backward()
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text("")
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "train.py").write_text(TRAIN)
    return tmp_path


def run(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the program under torch."""
    monkeypatch.syspath_prepend(project)
    monkeypatch.delitem(sys.modules, "helpers", raising=False)
    runpy.run_path(str(project / "train.py"))


def test_what_torch_refuses_before_runs_after(project: Path, monkeypatch: pytest.MonkeyPatch):
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        run(project, monkeypatch)
    result = inplace_lsp("check", "--fix", project)
    assert (result.exit_code, result.stderr) == (0, "Repaired 1 hazard.\n")
    run(project, monkeypatch)
    assert inplace_lsp("check", project).exit_code == 0


def test_a_file_that_is_not_checked_is_not_written(project: Path):
    result = inplace_lsp("check", "--fix", project / "train.py")
    assert (project / "helpers.py").read_text() == HELPERS
    assert (result.exit_code, (project / "train.py").read_text()) == (0, TRAIN.replace("x.exp()", "x.exp().clone()"))


def test_the_repairs_of_both_files_are_shown_as_one_difference(project: Path):
    result = inplace_lsp("check", "--diff", project)
    assert result.exit_code == 1
    assert (project / "helpers.py").read_text() == HELPERS
    assert (project / "train.py").read_text() == TRAIN
    assert result.stdout.count("\n@@ ") == 1


def test_a_file_with_a_hazard_of_its_own_is_repaired_of_both(project: Path):
    own = "import torch\n\n\ndef soften(w: torch.nn.Parameter):\n    y = w.sigmoid()\n    y.add_(1)\n    return y\n\n\n"
    (project / "helpers.py").write_text(f"{own}{HELPERS}")
    result = inplace_lsp("check", "--fix", project)
    assert (result.exit_code, result.stderr) == (0, "Repaired 2 hazards.\n")
    assert inplace_lsp("check", project).exit_code == 0
