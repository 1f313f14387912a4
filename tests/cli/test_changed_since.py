"""`check --changed-since REF`, in repositories of git."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from cli.commandline import HAZARD, inplace_lsp, rows

FUNCTIONS = """\
import torch


def first():
    x = torch.rand(3, requires_grad=True)
    y = x.exp()
    y.add_(1)
    y.sum().backward()


def second():
    x = torch.rand(3, requires_grad=True)
    y = x.exp()
    y = y.clone()
    y.add_(1)
    y.sum().backward()
"""


def git(folder: Path, *arguments: str) -> None:
    who = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
    subprocess.run(["git", *who, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    (tmp_path / "train.py").write_text(FUNCTIONS)
    (tmp_path / "old one.py").write_text(HAZARD)
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "-m", "first")
    return tmp_path


def since(repository: Path, ref: str = "main") -> list[tuple[str, int, str]]:
    return rows(repository, "--changed-since", ref)


def test_nothing_has_changed(repository: Path):
    assert since(repository) == []
    assert rows(repository) == [("old one.py", 5, "IP101"), ("train.py", 7, "IP101")]
    assert inplace_lsp("check", repository, "--changed-since", "main").exit_code == 0


def test_a_changed_write(repository: Path):
    (repository / "train.py").write_text(FUNCTIONS.replace("y.add_(1)\n", "y.add_(2)\n", 1))
    assert since(repository) == [("train.py", 7, "IP101")]


def test_a_changed_save_makes_the_write_a_hazard(repository: Path):
    (repository / "train.py").write_text(FUNCTIONS.replace("y = y.clone()", "y = y.tanh()"))
    assert since(repository) == [("train.py", 15, "IP101")]


def test_a_line_that_is_gone(repository: Path):
    (repository / "train.py").write_text(FUNCTIONS.replace("    y = y.clone()\n", ""))
    assert since(repository) == [("train.py", 14, "IP101")]


def test_lines_that_only_moved_have_not_changed(repository: Path):
    (repository / "train.py").write_text("# new\n\n" + FUNCTIONS)
    assert since(repository) == []


def test_a_new_file_has_changed_as_a_whole(repository: Path):
    (repository / "new.py").write_text(HAZARD)
    assert since(repository) == [("new.py", 5, "IP101")]
    git(repository, "add", ".")
    assert since(repository) == [("new.py", 5, "IP101")]


def test_a_branch_is_compared_with_where_it_began(repository: Path):
    git(repository, "checkout", "--quiet", "-b", "feature")
    (repository / "train.py").write_text(FUNCTIONS.replace("y.add_(1)\n", "y.add_(2)\n", 1))
    git(repository, "commit", "--quiet", "-am", "change")
    git(repository, "checkout", "--quiet", "main")
    (repository / "old one.py").write_text("# more\n" + HAZARD.replace("add_(1)", "add_(3)"))
    git(repository, "commit", "--quiet", "-am", "meanwhile")
    git(repository, "checkout", "--quiet", "feature")
    assert since(repository) == [("train.py", 7, "IP101")]
    assert since(repository, "HEAD") == []


def test_cells_of_a_notebook(repository: Path):
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": text.splitlines(keepends=True)}
        for text in (HAZARD, "y = x.exp()\ny.mul_(2)\ny.sum().backward()\n")
    ]
    path = repository / "study.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}}, indent=1))
    git(repository, "add", ".")
    git(repository, "commit", "--quiet", "-m", "study")
    assert since(repository) == []
    path.write_text(path.read_text().replace("mul_(2)", "mul_(3)"))
    assert since(repository) == [("study.ipynb", 2, "IP101")]


def test_what_git_cannot_tell_is_status_2(repository: Path, tmp_path_factory: pytest.TempPathFactory):
    result = inplace_lsp("check", repository, "--changed-since", "nowhere")
    assert (result.exit_code, result.stderr) == (2, "inplace-lsp: git knows no commit nowhere\n")
    outside = tmp_path_factory.mktemp("outside")
    result = inplace_lsp("check", outside, "--changed-since", "main")
    assert (result.exit_code, "not a git repository" in result.stderr) == (2, True)


def test_without_git(repository: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PATH", "")
    result = inplace_lsp("check", repository, "--changed-since", "main")
    assert (result.exit_code, result.stderr) == (2, "inplace-lsp: git cannot be started: No such file or directory\n")


def test_a_repair_changes_only_what_is_reported(repository: Path):
    changed = FUNCTIONS.replace("    y = y.clone()\n", "    y = y * 1\n    y = y.exp()\n")
    (repository / "train.py").write_text(changed)
    result = inplace_lsp("check", repository, "--changed-since", "main", "--fix")
    assert (result.exit_code, result.stderr) == (0, "Repaired 1 hazard.\n")
    first, second = changed.split("def second")
    assert (repository / "train.py").read_text() == f"{first}def second" + second.replace("y.add_(1)", "y = y.add(1)")
    assert (repository / "old one.py").read_text() == HAZARD
