"""The wheel on every Python that is here, and with the oldest releases of what it needs: installed clean, and used."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from shutil import which

import pytest
import uv

from integrations.conftest import ROOT, call, clean_environment, made_once

pytestmark = pytest.mark.xdist_group("wheel")
VERSIONS = [f"3.{minor}" for minor in range(10, 15)]
"""Those of pyproject.toml; CI has them all, a machine some."""


def find_pythons() -> dict[str, str]:
    """The interpreters of this machine by their versions: pyenv's, and those on the PATH of which it has none."""
    installed = sorted((Path.home() / ".pyenv" / "versions").glob("3.*/bin/python"), key=lambda path: path.parts[-3])
    by_version = {".".join(path.parts[-3].split(".")[:2]): str(path) for path in installed}
    known = {**by_version, f"{sys.version_info.major}.{sys.version_info.minor}": sys.executable}
    others = {version: which(f"python{version}") for version in VERSIONS if version not in known}
    on_path = {version: python for version, python in others.items() if python and _runs(python, version)}
    found = {**known, **on_path}
    return {version: found[version] for version in VERSIONS if version in found}


def _runs(python: str, version: str) -> bool:
    """Whether it starts: pyenv's shims lie on the PATH for versions that are not switched on."""
    done = subprocess.run([python, "--version"], capture_output=True, text=True, check=False)
    return done.stdout.startswith(f"Python {version}.")


PYTHONS = find_pythons()


def run_uv(*arguments: str) -> None:
    done = call(uv.find_uv_bin(), *arguments)
    assert done.returncode == 0, done.stderr


@pytest.fixture(scope="session")
def wheel(built: Path) -> Path:
    [found] = built.glob("*.whl")
    return found


def use_installed(python: str, folder: Path, wheel: Path, resolution: str) -> None:
    """Install the wheel in a fresh environment and use it; with a torch that lies elsewhere, where that is the same."""
    run_uv("venv", "--quiet", "--python", python, str(folder))
    bin_folder = folder / ("Scripts" if sys.platform == "win32" else "bin")
    options = ("--quiet", "--only-binary", ":all:", "--resolution", resolution, "--python", str(bin_folder / "python"))
    run_uv("pip", "install", *options, str(wheel))
    trial = ROOT / "release" / "try_package.py"
    done = call(sys.executable, trial, bin_folder / "inplace-lsp", "--torch", sys.executable)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("version", [version for version, python in PYTHONS.items() if python != sys.executable])
def test_it_works_on_every_other_python(version: str, wheel: Path, tmp_path: Path):
    """On ours test_package.py installs it, with pip."""
    use_installed(PYTHONS[version], tmp_path / "environment", wheel, "highest")


def test_it_works_with_the_oldest_releases_it_allows(wheel: Path, tmp_path: Path):
    use_installed(next(iter(PYTHONS.values())), tmp_path / "environment", wheel, "lowest-direct")


def test_it_runs_without_being_installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory):
    """As `uvx inplace-lsp` does; `pipx run` does the same, for the package's name is that of its program."""
    cache = made_once(tmp_path_factory, "uvx", lambda folder: None)
    done = subprocess.run(
        [uv.find_uv_bin(), "tool", "run", "--python", sys.executable, "--from", str(wheel), "inplace-lsp", "--version"],
        capture_output=True,
        text=True,
        check=False,
        env=clean_environment(UV_TOOL_DIR=str(cache)),
    )
    assert re.match(r"inplace-lsp, version \d", done.stdout), done.stderr
