"""`check` from end to end, with the real analysis."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD, found, inplace_lsp, rows
from inplace_lsp.analysis import Analysis
from inplace_lsp.cli import run
from inplace_lsp.interpret.entries import entries
from inplace_lsp.project import check_text
from inplace_lsp.report.formats import FORMATS


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    return path


def test_a_hazard_is_found_and_the_status_is_1(hazard: Path):
    result = inplace_lsp("check", hazard)
    assert result.exit_code == 1
    assert f"{hazard}:5:1: error[IP101] saved-tensor-modified:" in result.stdout
    assert "5 | y.add_(1)" in result.stdout
    assert "Found 1 hazard (1 error) in 1 of 1 file." in result.stdout
    assert result.stderr == ""


def test_nothing_found_is_status_0(tmp_path: Path):
    (tmp_path / "fine.py").write_text(FINE)
    result = inplace_lsp("check", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "Nothing found in 1 file.\n")


def test_json_is_the_contract(hazard: Path):
    [finding] = found(hazard)
    assert set(finding) == {
        *("code", "name", "severity", "message", "assumptions", "filename"),
        *("location", "end_location", "related", "after", "fixable", "advice", "url", "fix"),
    }
    assert (finding["code"], finding["name"], finding["severity"]) == ("IP101", "saved-tensor-modified", "error")
    assert (finding["filename"], finding["location"]) == (str(hazard), {"row": 5, "column": 1})
    assert ("saved", 4) in [(place["role"], place["location"]["row"]) for place in finding["related"]]
    assert finding["url"].endswith("/hazards/IP101")


def analyses(monkeypatch: pytest.MonkeyPatch, *arguments: str | Path) -> int:
    """How many texts `check` analyses."""
    calls: list[str] = []

    def counted(text: str, *rest: object) -> Analysis:
        calls.append(text)
        return check_text(text, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(run, "check_text", counted)
    inplace_lsp("check", "--no-cache", *arguments)
    return len(calls)


def test_repairs_are_shown_where_they_are_asked_for(hazard: Path):
    assert found(hazard)[0]["fix"] is None
    assert found(hazard, "--show-fixes")[0]["fix"]["message"] == "Write out of place: `y = y.add(1)`"
    assert "= fix (safe): Write out of place: `y = y.add(1)`" in inplace_lsp("check", hazard, "--show-fixes").stdout


def test_json_costs_what_text_costs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = tmp_path / "branches.py"
    arms = (f"    y = w.exp()\n    if flags[{n}]:\n        y.mul_(2)\n    y.sum().backward()\n" for n in range(3))
    path.write_text("import torch\n\n\ndef f(w, flags):\n    w = torch.zeros(3, requires_grad=True)\n" + "".join(arms))
    assert analyses(monkeypatch, path) == analyses(monkeypatch, path, "--output-format", "json") == 1
    assert analyses(monkeypatch, path, "--output-format", "json", "--show-fixes") == 1 + 3  # the first repair holds


def test_json_without_findings_is_an_empty_array(tmp_path: Path):
    result = inplace_lsp("check", tmp_path, "--output-format", "json")
    assert (result.exit_code, result.stdout) == (0, "[]\n")


def test_standard_input(tmp_path: Path):
    name = tmp_path / "buffer.py"
    [finding] = found("-", "--stdin-filename", str(name), stdin=HAZARD)
    assert (finding["filename"], finding["location"]["row"]) == (str(name), 5)
    assert inplace_lsp("check", "-", stdin="x = 1\n").exit_code == 0


def test_a_file_given_twice_is_checked_once(hazard: Path):
    assert rows(hazard, hazard.parent, hazard) == [("train.py", 5, "IP101")]


def test_exit_zero(hazard: Path):
    result = inplace_lsp("check", hazard, "--exit-zero")
    assert result.exit_code == 0
    assert "IP101" in result.stdout


def test_exit_zero_is_zero_for_what_cannot_be_checked(hazard: Path):
    """It is named on stderr; a wrong option is still one."""
    (hazard.parent / "broken.py").write_text("def (:\n")
    (hazard.parent / "binary.py").write_bytes(b"\0\0")
    without, zero = (inplace_lsp("check", hazard.parent, *options) for options in ((), ("--exit-zero",)))
    assert (without.exit_code, zero.exit_code) == (2, 0)
    assert without.stderr == zero.stderr
    assert "cannot check" in zero.stderr
    assert "IP101" in zero.stdout
    assert inplace_lsp("check", hazard, "--exit-zero", "--select", "IP9x").exit_code == 2


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if not form.repairs])
def test_a_format_without_repairs_refuses_to_show_them(hazard: Path, form: str):
    result = inplace_lsp("check", hazard, "--show-fixes", "--output-format", form)
    assert result.exit_code == 2
    assert f"{form} shows no repairs; --show-fixes needs one of full, " in result.stderr


@pytest.mark.parametrize("form", [name for name, form in FORMATS.items() if form.repairs])
def test_a_format_with_repairs_shows_them(hazard: Path, form: str):
    result = inplace_lsp("check", hazard, "--show-fixes", "--output-format", form)
    assert "y = y.add(1)" in result.stdout


def test_quiet_prints_findings_only(hazard: Path):
    assert "Found" not in inplace_lsp("check", hazard, "--quiet").stdout


def test_select_and_ignore(hazard: Path):
    assert rows(hazard, "--select", "IP2") == []
    assert rows(hazard, "--select", "IP2,IP101") == [("train.py", 5, "IP101")]
    assert rows(hazard, "--ignore", "IP1") == []
    assert rows(hazard, "--select", "ALL", "--ignore", "IP1", "--select", "IP101") == [("train.py", 5, "IP101")]


def test_configuration_of_the_project_and_the_command_line_before_it(hazard: Path):
    (hazard.parent / "pyproject.toml").write_text('[tool.inplace-lsp]\nignore = ["IP101"]\n')
    assert rows(hazard) == []
    assert rows(hazard, "--ignore", "IP205") == [("train.py", 5, "IP101")]


def test_suppressed(hazard: Path):
    hazard.write_text(HAZARD.replace("y.add_(1)", "y.add_(1)  # inplace: ignore[IP101]"))
    assert rows(hazard) == []
    hazard.write_text(FINE.replace("y.add_(1)", "y.add_(1)  # inplace: ignore[IP101]"))
    assert rows(hazard) == [("train.py", 5, "IP901")]


def test_many_files_in_several_processes(tmp_path: Path):
    for number in range(12):
        (tmp_path / f"m{number:02}.py").write_text(HAZARD if number % 3 == 0 else FINE)
    expected = [(f"m{number:02}.py", 5, "IP101") for number in (0, 3, 6, 9)]
    assert rows(tmp_path, "--jobs", "2") == rows(tmp_path, "--jobs", "1") == expected


def test_statistics(hazard: Path):
    hazard.write_text(HAZARD + "\ndef f(x):\n    return x\n")
    result = inplace_lsp("check", hazard, "--statistics")
    assert "     1  IP101  saved-tensor-modified\n1 function: 1 analysed, 0 in part, 0 not analysed; " in result.stdout
    result = inplace_lsp("check", hazard, "--statistics", "--output-format", "json")
    assert "1 function:" in result.stderr
    assert result.stdout.rstrip().endswith("]")


def test_nothing_is_found_where_not_all_was_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(entries, "STEPS", 100)
    path = tmp_path / "long.py"
    path.write_text("import torch\n\n\ndef f(x):\n" + "    x = x + 1\n" * 60 + "    x.mul_(2)\n    return x\n")
    result = inplace_lsp("check", path, "--statistics", "--no-cache")
    assert f"\n  {path}:65 f: too long to follow every path\n" in result.stdout
    assert result.stdout.endswith(
        "Nothing found in 1 file.\n"
        "Only partly analysed: 1 function; 1 statement that may write in place was not reached "
        "(--statistics lists them).\n"
    )


def test_columns_count_code_points(tmp_path: Path):
    path = tmp_path / "emoji.py"
    path.write_text(HAZARD.replace("y.add_(1)", "'🔥'; y.add_(1)"), encoding="utf-8")
    [finding] = found(path)
    assert finding["location"] == {"row": 5, "column": 6}


def test_tape_of_a_finding(hazard: Path):
    result = inplace_lsp("tape", f"{hazard}:5")
    assert result.exit_code == 0
    assert "IP101" in result.stdout
    assert "0 -> 1" in result.stdout
    result = inplace_lsp("tape", f"{hazard}:4")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "lines with findings: 5" in result.stderr


def run_in(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """`inplace-lsp` as a process of its own, on a system that knows ASCII only."""
    return subprocess.run(
        [sys.executable, "-m", "inplace_lsp", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        env={"PATH": "", "LANG": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"},
        check=False,
    )


def test_as_a_process(hazard: Path):
    done = run_in(hazard.parent, "check", "train.py")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith("train.py:5:1: error[IP101]")
    assert "\x1b" not in done.stdout


def test_file_names_that_are_not_utf8(tmp_path: Path):
    with open(os.path.join(os.fsencode(tmp_path), b"tr\xe4in.py"), "w") as file:
        file.write(HAZARD)
    for output_format in ("text", "json"):
        done = run_in(tmp_path, "check", "--output-format", output_format)
        assert (done.returncode, done.stderr) == (1, "")
        assert "\\udce4in.py" in done.stdout


def test_a_write_in_another_file_is_found_there_and_its_comments_count(tmp_path: Path):
    (tmp_path / "helper.py").write_text("def shift(t):\n    t.add_(1)\n    return t\n")
    (tmp_path / "train.py").write_text(
        "import torch\nfrom helper import shift\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\n"
        "shift(y)\ny.sum().backward()\n"
    )
    for paths in ([tmp_path], [tmp_path / "train.py"], [tmp_path / "train.py", tmp_path / "helper.py"]):
        assert rows(*paths) == [("helper.py", 2, "IP101")]
    assert f" ::: {tmp_path}/train.py:5:1\n5 | y = x.exp()" in inplace_lsp("check", tmp_path).stdout
    (tmp_path / "helper.py").write_text("def shift(t):\n    t.add_(1)  # inplace: ignore[IP101]\n    return t\n")
    assert rows(tmp_path) == []
