"""`check --output-format` and `--output-file`, as a user gives them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD, found, inplace_lsp
from inplace_lsp.report.formats import FORMATS


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_a_file_gets_what_the_terminal_would(hazard: Path, name: str):
    report = hazard.with_name("report.txt")
    on_terminal = inplace_lsp("check", hazard, "--output-format", name, "--quiet")
    in_file = inplace_lsp("check", hazard, "--output-format", name, "--output-file", report)
    assert on_terminal.exit_code == in_file.exit_code == 1
    assert report.read_text() == on_terminal.stdout
    assert in_file.stdout.startswith("Found 1 hazard (1 error) in 1 of 1 file.")
    assert on_terminal.stderr == in_file.stderr == ""


@pytest.mark.parametrize("name", FORMATS)
def test_nothing_found_is_written_down_too(tmp_path: Path, name: str):
    (tmp_path / "fine.py").write_text(FINE)
    result = inplace_lsp("check", tmp_path, "--output-format", name)
    assert (result.exit_code, result.stderr) == (0, "")


def test_a_report_that_cannot_be_written_is_status_2(hazard: Path):
    result = inplace_lsp("check", hazard, "--output-file", hazard.parent / "no" / "report")
    assert result.exit_code == 2
    assert result.stderr.endswith("report: No such file or directory\n")


def test_concise_is_a_line(hazard: Path):
    result = inplace_lsp("check", hazard, "--output-format", "concise")
    first, last = result.stdout.splitlines()
    assert first.startswith(f"{hazard}:5:1: error[IP101] saved-tensor-modified: `y` is written here")
    assert last.startswith("Found 1 hazard")


def test_json_lines(hazard: Path):
    lines = inplace_lsp("check", hazard, "--output-format", "json-lines").stdout.splitlines()
    assert [json.loads(line) for line in lines] == found(hazard)


def test_paths_are_relative_to_the_repository(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    inside = hazard.parent / "src"
    inside.mkdir()
    hazard.rename(inside / "train.py")
    (hazard.parent / ".git").mkdir()
    monkeypatch.chdir(inside)
    [issue] = json.loads(inplace_lsp("check", "--output-format", "gitlab").stdout)
    assert issue["location"]["path"] == "src/train.py"


def test_what_cannot_be_read_stands_in_the_report(tmp_path: Path):
    (tmp_path / "broken.py").write_bytes(b"\xff\xfe\xff")
    result = inplace_lsp("check", tmp_path, "--output-format", "github")
    assert result.exit_code == 2
    assert result.stdout.startswith("::error title=inplace-lsp,file=")
