"""A clone of the project as it is now, and a repository of a user's with a hazard in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commandline import HAZARD

ROOT = Path(__file__).parents[2]
WHO = ("-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")


def git(folder: Path, *arguments: str) -> str:
    return subprocess.run(
        ["git", *WHO, *arguments], cwd=folder, check=True, capture_output=True, text=True, env=clean_environment()
    ).stdout


def clean_environment(**more: str) -> dict[str, str]:
    """That of the tests, without what would lead to this checkout or to a hook's repository."""
    ours = ("PYTHONPATH", "VIRTUAL_ENV", "PIP_REQUIRE_VIRTUALENV")
    kept = {name: value for name, value in os.environ.items() if name not in ours and not name.startswith("GIT_")}
    return {**kept, **more}


def commit_all(folder: Path) -> str:
    """Make a repository of a folder. Returns the commit."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "as it is")
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user gets from the repository, with the changes that are not committed yet."""
    folder = tmp_path_factory.mktemp("clone") / "inplace-lsp"
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    commit_all(folder)
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(HAZARD)
    return folder


@pytest.fixture(scope="session")
def python_folder() -> str:
    """Where the Python of the tests lies."""
    return os.path.dirname(sys.executable)
