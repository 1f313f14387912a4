"""The hooks, run by pre-commit itself from a clone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD
from integrations.conftest import clean_environment, commit_all, git, made_once

CONFIGURATION = """\
repos:
  - repo: {clone}
    rev: {commit}
    hooks:
      - id: {hook}
"""


@pytest.fixture(scope="session")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where pre-commit keeps the environment it installs: one for both hooks."""
    return made_once(tmp_path_factory, "pre-commit", lambda folder: None)


def run(project: Path, clone: Path, home: Path, hook: str) -> subprocess.CompletedProcess[str]:
    commit = git(clone, "rev-parse", "HEAD").strip()
    configuration = CONFIGURATION.format(clone=clone.as_uri(), commit=commit, hook=hook)
    (project / ".pre-commit-config.yaml").write_text(configuration)
    git(project, "add", ".")
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never"],
        cwd=project,
        env=clean_environment(PRE_COMMIT_HOME=str(home)),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_check_fails_for_a_hazard_and_passes_without(project: Path, clone: Path, home: Path):
    commit_all(project)
    done = run(project, clone, home, "inplace-lsp")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "inplace-lsp check........" in done.stdout
    assert "train.py:5:1: error[IP101] saved-tensor-modified" in done.stdout
    (project / "train.py").write_text(FINE)
    done = run(project, clone, home, "inplace-lsp")
    assert (done.returncode, done.stdout.rstrip().endswith("Passed")) == (0, True)


def test_the_fix_repairs_and_says_that_it_did(project: Path, clone: Path, home: Path):
    commit_all(project)
    done = run(project, clone, home, "inplace-lsp-fix")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "files were modified by this hook" in done.stdout
    assert (project / "train.py").read_text() == HAZARD.replace("y.add_(1)", "y = y.add(1)")
    assert run(project, clone, home, "inplace-lsp-fix").returncode == 0
