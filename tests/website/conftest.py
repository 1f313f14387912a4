"""The site, built once for all tests of a worker."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from integrations.conftest import made_once

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the built site. A link or an anchor that leads nowhere ends the build."""

    def build(folder: Path) -> None:
        _run("bash", str(ROOT / "docs" / "website" / "playground" / "build.sh"), sys.executable)
        command = [
            sys.executable,
            "-m",
            "mkdocs",
            "build",
            "--quiet",
            "--strict",
            "--config-file",
            "docs/mkdocs.yml",
            "--site-dir",
            str(folder / "site"),
        ]
        _run(*command)

    return made_once(tmp_path_factory, "website", build) / "site"


def _run(*command: str) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
