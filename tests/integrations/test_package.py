"""The package as an index would have it: built, installed in a clean environment, and used there."""

from __future__ import annotations

import ast
import json
import re
import sys
import tarfile
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

from inplace_lsp import __version__
from inplace_lsp.report.urls import DOCS_URL
from integrations.conftest import call, made_once
from integrations.workflows import RELEASE, run_step

pytestmark = pytest.mark.xdist_group("wheel")


@pytest.fixture(scope="session")
def program(built: Path, clone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, as the workflow of a release installs and tries it, before it publishes anything."""

    def install(home: Path) -> None:
        (home / "release").symlink_to(clone / "release")
        (home / "dist").symlink_to(built)
        done = run_step(RELEASE["try"], "Try the wheel", home)
        assert (done.returncode, "all well" in done.stdout) == (0, True), done.stdout + done.stderr

    return made_once(tmp_path_factory, "clean-environment", install) / "trial" / "bin" / "inplace-lsp"


def test_there_is_an_sdist_and_a_wheel(built: Path):
    assert sorted(path.suffix for path in built.iterdir() if path.suffix in (".gz", ".whl")) == [".gz", ".whl"]


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


def test_pytest_finds_the_plugin(program: Path, project: Path):
    python = program.with_name("python")
    done = call(python, "-m", "pip", "install", "--quiet", "pytest")
    assert done.returncode == 0, done.stderr
    (project / "test_it.py").write_text("def test_it():\n    pass\n")
    done = call(python, "-m", "pytest", "--inplace", project)
    assert "--inplace: " in done.stderr, done.stdout
    assert "cannot load torch: No module named 'torch'" in done.stderr


def test_every_format_and_watch_need_nothing_more(program: Path, project: Path):
    done = call(program, "check", project, "--output-format", "sarif")
    assert json.loads(done.stdout)["version"] == "2.1.0", done.stderr
    done = call(program.with_name("python"), "-c", "import inplace_lsp.cli.watch")
    assert done.returncode == 0, done.stderr


def test_the_sdist_has_what_the_wheel_is_made_of_and_nothing_else(built: Path):
    [file] = built.glob("*.tar.gz")
    with tarfile.open(file) as archive:
        tops = {name.split("/")[1] for name in archive.getnames() if "/" in name}
    own = {"PKG-INFO", "pyproject.toml", ".gitignore"}
    assert tops - own == {"libraries", "server", "README.md", "CHANGELOG.md", "LICENSE"}


@pytest.fixture(scope="session")
def wheel(built: Path) -> ZipFile:
    [file] = built.glob("*.whl")
    return ZipFile(file)


def read_metadata(wheel: ZipFile) -> Message:
    [name] = [name for name in wheel.namelist() if name.endswith("/METADATA")]
    return Parser().parsestr(wheel.read(name).decode())


def required_by(metadata: Message, *, extras: bool) -> set[str]:
    """The packages that it requires, by their normal names; with those of extras, or without."""
    told = [
        requirement for requirement in metadata.get_all("Requires-Dist", []) if extras or "extra ==" not in requirement
    ]
    return {re.split(r"[<>=;\[ ]", requirement)[0].lower().replace("_", "-") for requirement in told}


def test_the_wheel_has_what_it_needs_and_nothing_else(wheel: ZipFile):
    names, told = wheel.namelist(), read_metadata(wheel)
    packages = {"inplace_lsp", "inplace_lsp_libraries"}
    assert {name.partition("/")[0] for name in names} == {*packages, f"inplace_lsp-{__version__}.dist-info"}
    assert {"inplace_lsp/config.schema.json", "inplace_lsp/py.typed", "inplace_lsp/report/page/explain.html"} <= {
        *names
    }
    assert [name for name in names if name.endswith((".pyc", ".vsix"))] == []
    assert told["Requires-Python"] == ">=3.10"
    assert "# inplace-lsp" in (page := str(told.get_payload()))
    assert re.findall(r"]\((?!https://)", page) == []
    assert "](https://raw.githubusercontent.com/inplace-lsp/inplace-lsp/main/vscode-client/media/pictures/" in page
    assert required_by(told, extras=False) & {"torch", "numpy"} == set()


def test_it_requires_what_it_imports_and_nothing_else(wheel: ZipFile):
    """Model files name the libraries they describe, and import none; torch lies in the interpreter of the worker."""
    described = ("inplace_lsp/models/", "inplace_lsp_libraries/")
    sources = [name for name in wheel.namelist() if name.endswith(".py") and not name.startswith(described)]
    imported = {top for name in sources for top in imported_from(wheel.read(name).decode())}
    owners = packages_distributions()
    used = {owner.lower().replace("_", "-") for top in imported for owner in owners.get(top, [top])}
    told = read_metadata(wheel)
    own = {"inplace-lsp", "inplace-lsp-libraries", "torch", "torchgen", "numpy"}
    assert used - own - required_by(told, extras=True) == set()
    assert required_by(told, extras=False) - used - {"tomli"} == set()


def imported_from(text: str) -> set[str]:
    """The packages that a module imports when it runs, but for the standard library's."""
    nodes = list(_walk_what_runs(ast.parse(text)))
    names = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
    names |= {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom) and not node.level}
    return {name.partition(".")[0] for name in names} - sys.stdlib_module_names


def _walk_what_runs(node: ast.AST) -> Iterator[ast.AST]:
    """Yield what is below a node, but for what only the type checker reads."""
    yield node
    is_check = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    for below in node.orelse if is_check else ast.iter_child_nodes(node):
        yield from _walk_what_runs(below)


def test_the_addresses_are_told(wheel: ZipFile):
    told = dict(line.split(", ", 1) for line in read_metadata(wheel).get_all("Project-URL", []))
    assert set(told) == {"Homepage", "Documentation", "Source", "Issues", "Changelog"}
    assert told["Documentation"] == DOCS_URL
