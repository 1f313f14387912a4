"""The package on every Python, as CI runs it: `nox` for all of it, `nox -s package-3.12` for one.

A Python that is not there is left out; `nox --download-python auto` fetches it, where that is possible.
"""

from __future__ import annotations

from pathlib import Path

import nox

nox.options.default_venv_backend = "uv|virtualenv"
nox.options.sessions = ["package", "lowest", "unit"]
nox.options.error_on_missing_interpreters = False

PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")
UNIT = (
    *("tests/config", "tests/files", "tests/source", "tests/platforms"),
    *("tests/cli/test_main.py", "tests/cli/test_check.py", "tests/cli/test_output.py", "tests/cli/test_fix.py"),
    *("tests/lsp/test_lsp_documents.py", "tests/report/test_formats.py"),
)
"""Tests that need no torch, so that they run on every system in a minute."""
NEEDED = ("pytest>=8.3", "pytest-asyncio>=0.24", "pytest-lsp>=1.0", "filelock", "hypothesis", "jsonschema", "nbformat")


def build_wheel(session: nox.Session) -> str:
    """Return the path of the wheel, built from the source package."""
    session.install("build")
    session.run("python", "-m", "build", "--outdir", session.create_tmp(), ".", silent=True)
    [wheel] = Path(session.create_tmp()).glob("*.whl")
    return str(wheel)


@nox.session(python=PYTHONS)
def package(session: nox.Session) -> None:
    """Build the package, install it, use it."""
    session.install(build_wheel(session))
    session.run("python", "release/try_package.py", str(Path(session.bin) / "inplace-lsp"))


@nox.session(python=PYTHONS[0], venv_backend="uv")
def lowest(session: nox.Session) -> None:
    """Run the same with the oldest releases that pyproject.toml allows."""
    session.install("--resolution", "lowest-direct", "--only-binary", ":all:", build_wheel(session))
    session.run("python", "release/try_package.py", str(Path(session.bin) / "inplace-lsp"))


@nox.session(python=PYTHONS)
def unit(session: nox.Session) -> None:
    """Run the tests that need no torch."""
    session.install("--editable", ".", *NEEDED, "junitparser")
    session.run("pytest", *UNIT, *session.posargs)
