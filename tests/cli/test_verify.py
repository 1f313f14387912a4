"""`inplace-lsp verify`: places, formats, exit statuses, words for what goes wrong."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from junitparser import JUnitXml

from cli.commandline import FINE, HAZARD, inplace_lsp
from inplace_lsp.verify.client import Client
from inplace_lsp.verify.launch import Launch
from report.test_sarif import VALIDATOR

pytestmark = pytest.mark.xdist_group("cli-verify")
PYTHON = ("--python", sys.executable, "--device", "cpu")


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    file = tmp_path / "hazard.py"
    file.write_text(HAZARD)
    return file


@pytest.fixture(scope="module")
def worker() -> Iterator[Client]:
    with Client(Launch(sys.executable)) as client:
        yield client


@pytest.fixture
def warm(worker: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    """One worker for the tests that ask what is said of its answer: each command would load torch anew."""
    monkeypatch.setattr("inplace_lsp.cli.verify.Client", lambda _launch: contextlib.nullcontext(worker))


def test_a_file_that_fails(hazard: Path) -> None:
    result = inplace_lsp("verify", hazard, *PYTHON)
    assert result.exit_code == 1
    assert "hazard.py::<module>: confirmed" in result.output
    assert "modified by an inplace operation" in " ".join(result.output.split())
    assert "5 | y.add_(1)" in result.output
    assert "inputs none: the file was run as a program" in result.output


@pytest.mark.usefixtures("warm")
def test_a_file_that_is_fine(tmp_path: Path) -> None:
    file = tmp_path / "fine.py"
    file.write_text(FINE)
    result = inplace_lsp("verify", f"{file}:5", *PYTHON)
    assert result.exit_code == 0
    assert "fine.py::<module>: not-reproduced" in result.output


@pytest.mark.usefixtures("warm")
def test_json(hazard: Path) -> None:
    hazard.write_text("print('noise')\n" + HAZARD)
    result = inplace_lsp("verify", hazard, "--output-format", "json", *PYTHON)
    answer = json.loads(result.stdout)
    assert (answer["verdict"], answer["seed"], answer["device"]) == ("confirmed", 0, "cpu")
    assert result.stderr == "noise\n"


@pytest.mark.usefixtures("warm")
@pytest.mark.parametrize(("form", "begins"), [("svg", "<svg "), ("html", "<!DOCTYPE html>")])
def test_pictures(hazard: Path, form: str, begins: str) -> None:
    result = inplace_lsp("verify", hazard, "--output-format", form, *PYTHON)
    assert result.exit_code == 1
    assert result.stdout.lower().startswith(begins.lower())
    assert result.stderr.startswith("<module>: confirmed. On line 5, ")


def test_all_of_a_folder(hazard: Path) -> None:
    (hazard.parent / "fine.py").write_text(FINE)
    (hazard.parent / "broken.py").write_text("import torch\ndef (:\n")
    result = inplace_lsp("verify", "--all", hazard.parent, *PYTHON)
    assert result.exit_code == 1
    assert "hazard.py::<module>: confirmed. On line 5, " in result.output
    assert result.output.endswith("1 confirmed\n")


@pytest.fixture(scope="module")
def verified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that was verified; the file `state` beside it has the verdicts."""
    hint = "import torch\n\n\ndef shift(x):\n    y = x.exp()\n    y.add_(1)\n    return y\n"
    folder = tmp_path_factory.mktemp("verified") / "project"
    folder.mkdir()
    (folder / "hazard.py").write_text(HAZARD)
    (folder / "two.py").write_text(hint)
    result = inplace_lsp("verify", "--all", folder, "--jobs", "1", "--resume", folder.parent / "state", *PYTHON)
    assert (result.exit_code, result.stdout.splitlines()[-1]) == (1, "2 confirmed")
    return folder


@pytest.mark.parametrize("form", ["github", "gitlab", "junit", "sarif", "rdjson", "concise", "json-lines"])
def test_reports_about_all(verified: Path, tmp_path: Path, form: str) -> None:
    report = tmp_path / "report"
    known = ("--resume", verified.parent / "state")
    arguments = ("verify", "--all", verified, "--output-format", form, "--output-file", report, *known, *PYTHON)
    result = inplace_lsp(*arguments)
    assert (result.exit_code, result.stdout) == (1, "2 confirmed\n")
    text = report.read_text()
    if form == "junit":
        suites = {suite.name: list(suite) for suite in JUnitXml.fromfile(str(report))}
        [program], [function] = suites[str(verified / "hazard.py")], suites[str(verified / "two.py")]
        assert (program.name, function.name) == ("<module>", "shift")
        assert [case.type for case in (*program.result, *function.result)] == ["confirmed", "confirmed"]
    elif form == "sarif":
        VALIDATOR.validate(json.loads(text))
        [run] = json.loads(text)["runs"]
        assert [len(result["codeFlows"]) for result in run["results"]] == [1, 1]
    elif form == "gitlab":
        assert [issue["location"]["positions"]["begin"]["line"] for issue in json.loads(text)] == [5, 6]
    elif form == "rdjson":
        assert all("confirmed by a run of" in issue["message"] for issue in json.loads(text)["diagnostics"])
    elif form == "json-lines":
        assert {json.loads(line)["verdict"] for line in text.splitlines()} == {"confirmed"}
    else:
        assert text.count("\n") == 2


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--all", "--output-format", "svg"), "--all draws no pictures"),
        (("--output-format", "sarif"), "sarif is for --all"),
        (("--output-file", "x"), "--output-file is for --all"),
        (("--resume", "x"), "--resume is for --all"),
        (("--jobs", "2"), "--jobs is for --all"),
        (("--all", "--output-file", "/no/such/file"), "cannot write the verdicts to /no/such/file: No such file"),
    ],
)
def test_what_is_for_all_alone(hazard: Path, arguments: tuple[str, ...], words: str) -> None:
    result = inplace_lsp("verify", hazard, *arguments, *PYTHON)
    assert (result.exit_code, words in result.stderr) == (2, True)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("{}/nowhere",), "cannot verify {}/nowhere: no such file or folder"),
        (("{}/latin.py",), "cannot verify {}/latin.py: cannot be decoded: "),
        (("{}/own",), "{}/own/pyproject.toml: [tool.inplace-lsp] unknown key 'selekt'"),
        (("{}/fine.py", "--resume", "{}"), "verdicts cannot be kept in {}: Is a directory"),
        (("{}/fine.py", "--resume", "{}/no/state"), "verdicts cannot be kept in {}/no/state: No such file"),
        (
            ("{}/fine.py", "--resume", "{}/latin.py"),
            "verdicts cannot be kept in {}/latin.py: it contains something other",
        ),
    ],
)
def test_what_cannot_be_done_of_many_is_said(tmp_path: Path, arguments: tuple[str, ...], words: str) -> None:
    (tmp_path / "fine.py").write_text("")
    (tmp_path / "latin.py").write_bytes(b"# \xff\n")
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "pyproject.toml").write_text("[tool.inplace-lsp]\nselekt = []\n")
    result = inplace_lsp("verify", "--all", *PYTHON, *(argument.format(tmp_path) for argument in arguments))
    assert result.exit_code == 2
    assert words.format(tmp_path) in result.stderr
    assert len(result.stderr.splitlines()) == 1


@pytest.mark.usefixtures("warm")
def test_lines_are_those_of_python(hazard: Path) -> None:
    hazard.write_text(HAZARD.replace("\ny.add_", "  # \x1c\x0c\ny.add_"))
    result = inplace_lsp("verify", hazard, *PYTHON)
    assert "5 | y.add_(1)" in result.output
    assert "`exp` saves its result" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("{}::nothing",), "there is no function 'nothing' in the file (functions: none)"),
        (("{}:99",), "there is no line 99: the file has 7"),
        (("{}.missing",), "cannot read"),
        (("{}", "--python", "/no/python"), "cannot start /no/python"),
        (("{}", "--launch", "'unfinished"), 'the launch command "\'unfinished" cannot be read: No closing quotation'),
        (("{}", "--device", "cuda:77", *PYTHON[:2]), "cuda:77 was asked for, but the worker has"),
    ],
)
def test_what_cannot_be_done_is_said(hazard: Path, arguments: tuple[str, ...], words: str) -> None:
    result = inplace_lsp("verify", *(argument.format(hazard) for argument in arguments))
    assert result.exit_code == 2
    assert words in result.stderr
    assert len(result.stderr.splitlines()) == 1
