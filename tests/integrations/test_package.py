"""The package as an index would have it: built, installed in a clean environment, and used there."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest

from inplace_lsp import __version__
from integrations.conftest import clean_environment, made_once


def call(*command: str | Path, stdin: str | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(one) for one in command], input=stdin, capture_output=True, text=True, check=False, env=clean_environment()
    )


@pytest.fixture(scope="session")
def built(clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the sdist and the wheel that is made of it."""

    def build(folder: Path) -> None:
        done = call(sys.executable, "-m", "build", "--outdir", folder, clone)
        assert done.returncode == 0, done.stdout + done.stderr

    return made_once(tmp_path_factory, "dist", build)


@pytest.fixture(scope="session")
def program(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, installed from the wheel and from nothing of this checkout."""

    def install(home: Path) -> None:
        assert call(sys.executable, "-m", "venv", home).returncode == 0
        [wheel] = built.glob("*.whl")
        done = call(home / "bin" / "python", "-m", "pip", "install", "--quiet", wheel)
        assert done.returncode == 0, done.stderr

    return made_once(tmp_path_factory, "clean-environment", install) / "bin" / "inplace-lsp"


def test_there_is_an_sdist_and_a_wheel(built: Path):
    assert sorted(one.suffix for one in built.iterdir() if one.suffix in (".gz", ".whl")) == [".gz", ".whl"]


def test_it_checks(program: Path, project: Path):
    assert call(program, "--version").stdout == f"inplace-lsp, version {__version__}\n"
    done = call(program, "check", project, "--no-cache")
    assert (done.returncode, "train.py:5:1: error[IP101]" in done.stdout, done.stderr) == (1, True, "")
    done = call(program, "check", project, "--fix", "--no-cache")
    assert (done.returncode, done.stderr) == (0, "Repaired 1 hazard.\n")


def test_it_verifies_under_a_torch_that_lies_elsewhere(program: Path, project: Path):
    done = call(program, "verify", project / "train.py", "--python", sys.executable, "--device", "cpu")
    assert (done.returncode, "confirmed" in done.stdout) == (1, True), done.stderr


def test_it_serves(program: Path):
    def message(**fields: object) -> str:
        body = json.dumps({"jsonrpc": "2.0", **fields})
        return f"Content-Length: {len(body)}\r\n\r\n{body}"

    asked = [
        message(id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}}),
        message(method="initialized", params={}),
        message(id=2, method="shutdown", params=None),
        message(method="exit", params=None),
    ]
    done = call(program, "serve", stdin="".join(asked))
    assert (done.returncode, '"serverInfo"' in done.stdout) == (0, True), done.stderr


def test_what_is_an_extra_is_named_where_it_is_missing(program: Path, project: Path):
    done = call(program, "check", project, "--output-format", "sarif")
    assert (done.returncode, "pip install 'inplace-lsp[sarif]'" in done.stderr) == (2, True)
    done = call(program, "check", project, "--watch")
    assert (done.returncode, "pip install 'inplace-lsp[watch]'" in done.stderr) == (2, True)


def test_the_wheel_has_what_it_needs_and_nothing_else(built: Path):
    [wheel] = built.glob("*.whl")
    with ZipFile(wheel) as archive:
        names = archive.namelist()
        [metadata] = [name for name in names if name.endswith("/METADATA")]
        told = Parser().parsestr(archive.read(metadata).decode())
    assert {name.partition("/")[0] for name in names} == {"inplace_lsp", f"inplace_lsp-{__version__}.dist-info"}
    assert "inplace_lsp/config.schema.json" in names
    assert [name for name in names if name.endswith((".pyc", ".vsix"))] == []
    assert told["Requires-Python"] == ">=3.10"
    assert "# inplace-lsp" in told.get_payload()
    required = {re.split(r"[<>=;\[ ]", one)[0] for one in told.get_all("Requires-Dist", []) if "extra ==" not in one}
    assert required & {"torch", "numpy", "sarif-om", "watchfiles"} == set()
