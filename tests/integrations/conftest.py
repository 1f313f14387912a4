"""A clone of the project as it is now, and a repository of a user's with a hazard in it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock

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
    return {**kept, "PIP_NO_COMPILE": "1", "PIP_DISABLE_PIP_VERSION_CHECK": "1", **more}


def commit_all(folder: Path) -> str:
    """Make a repository of a folder. Returns the commit."""
    git(folder, "init", "--quiet", "--initial-branch=main")
    git(folder, "add", ".")
    git(folder, "commit", "--quiet", "-m", "as it is")
    return git(folder, "rev-parse", "HEAD").strip()


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that the first worker of pytest who needs it makes for all."""
    base = factory.getbasetemp()
    root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    folder, done = root / name, root / f"{name}.done"
    with FileLock(root / f"{name}.lock"):
        if not done.exists():
            folder.mkdir()
            make(folder)
            done.touch()
    return folder


@pytest.fixture(scope="session")
def clone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a user gets from the repository, with the changes that are not committed yet."""
    return made_once(tmp_path_factory, "inplace-lsp-clone", _copy_project)


def _copy_project(folder: Path) -> None:
    for name in git(ROOT, "ls-files", "--cached", "--others", "--exclude-standard", "-z").split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, folder / name)
    commit_all(folder)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "train.py").write_text(HAZARD)
    return folder


def call(*command: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(argument) for argument in command],
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(),
    )


@pytest.fixture(scope="session")
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist and the wheel that is made of it."""

    def build(folder: Path) -> None:
        done = call(sys.executable, "-m", "build", "--installer", "uv", "--outdir", folder, clone)
        assert done.returncode == 0, done.stdout + done.stderr

    return made_once(tmp_path_factory, "dist", build)
