"""The package run from a clone without installing it: `uvx` and `pipx run`, as the README tells."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inplace_lsp import __version__
from integrations.conftest import call

RUNNERS = {
    "uvx": (Path(sys.executable).with_name("uvx"), "--quiet", "--from"),
    "pipx": (sys.executable, "-m", "pipx", "run", "--quiet", "--spec"),
}


@pytest.mark.parametrize("runner", RUNNERS)
def test_it_checks(runner: str, clone: Path, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PIPX_HOME", str(tmp_path / "pipx"))
    monkeypatch.setenv("UV_TOOL_DIR", str(tmp_path / "uv"))
    version = call(*RUNNERS[runner], clone, "inplace-lsp", "--version")
    assert version.stdout == f"inplace-lsp, version {__version__}\n", version.stderr
    done = call(*RUNNERS[runner], clone, "inplace-lsp", "check", "--no-cache", project)
    assert done.returncode == 1, done.stderr
    assert "train.py:5:1: error[IP101]" in done.stdout
