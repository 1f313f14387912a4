"""What counts for the exit status, what is shown instead of a check, and comments that are written."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Timer

import pytest

from cli.commandline import FINE, HAZARD, inplace_lsp, rows
from inplace_lsp.config import tomllib
from inplace_lsp.hazards.registry import CODES

HINT = """\
import torch


def shift(x):
    y = x.exp()
    y.add_(1)
    return y
"""
"""Nothing in sight ties `x` to a gradient."""
WARNING = HINT.replace("shift(x)", "shift(weight)")


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    return path


def severities(path: Path) -> set[str]:
    lines = inplace_lsp("check", path, "--output-format", "concise", "--quiet").stdout.splitlines()
    return {line.partition(": ")[2].partition("[")[0] for line in lines}


@pytest.mark.parametrize(
    ("program", "severity", "levels"),
    [
        (HAZARD, "error", {"error": 1, "warning": 1, "hint": 1}),
        (FINE + "# inplace: ignore-file\n", "warning", {"error": 0, "warning": 1, "information": 1, "hint": 1}),
        (HINT, "hint", {"error": 0, "warning": 0, "information": 0, "hint": 1}),
    ],
)
def test_severity_decides_the_exit_status_and_hides_nothing(
    tmp_path: Path, program: str, severity: str, levels: dict[str, int]
):
    path = tmp_path / "train.py"
    path.write_text(program)
    assert severities(path) == {severity}
    for level, status in levels.items():
        result = inplace_lsp("check", path, "--severity", level)
        assert (result.exit_code, "Found 1 hazard" in result.stdout) == (status, True)
    assert inplace_lsp("check", path).exit_code == 1


def test_a_file_that_cannot_be_read_is_status_2_at_any_severity(hazard: Path):
    (hazard.parent / "broken.py").write_bytes(b"\xff\xff")
    assert inplace_lsp("check", hazard.parent, "--severity", "error").exit_code == 2


def test_exit_non_zero_on_fix(hazard: Path):
    assert inplace_lsp("check", "--fix", "--exit-non-zero-on-fix", hazard).exit_code == 1
    assert inplace_lsp("check", "--fix", "--exit-non-zero-on-fix", hazard).exit_code == 0


def test_show_files(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    (hazard.parent / "src").mkdir()
    (hazard.parent / "src" / "model.py").touch()
    (hazard.parent / "build").mkdir()
    (hazard.parent / "build" / "made.py").touch()
    monkeypatch.chdir(hazard.parent)
    result = inplace_lsp("check", "--show-files")
    assert (result.exit_code, result.stdout.splitlines()) == (0, [os.path.join("src", "model.py"), "train.py"])
    assert inplace_lsp("check", "--show-files", "nothing").exit_code == 2


def test_what_is_excluded_can_be_left_out_even_if_it_is_named(hazard: Path):
    (hazard.parent / "pyproject.toml").write_text('[tool.inplace-lsp]\nexclude = ["made/"]\n')
    made = hazard.parent / "made" / "train.py"
    made.parent.mkdir()
    made.write_text(HAZARD)
    assert rows(made) == [("train.py", 5, "IP101")]
    assert rows(made, hazard.parent / "made", "--force-exclude") == []
    assert len(rows(hazard, "--force-exclude")) == 1
    named = ("check", "-", "--stdin-filename", str(made), "--output-format", "concise")
    assert inplace_lsp(*named, stdin=HAZARD).exit_code == 1
    assert inplace_lsp(*named, "--force-exclude", stdin=HAZARD).exit_code == 0


def test_the_command_line_excludes_files(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    (hazard.parent / "pyproject.toml").write_text('[tool.inplace-lsp]\nexclude = ["made/"]\n')
    for folder in ("made", "old", "src"):
        (hazard.parent / folder).mkdir()
        (hazard.parent / folder / "model.py").touch()
    monkeypatch.chdir(hazard.parent)

    def list_files(*options: str) -> list[str]:
        return [Path(line).as_posix() for line in inplace_lsp("check", "--show-files", *options).stdout.splitlines()]

    assert list_files() == ["old/model.py", "src/model.py", "train.py"]
    assert list_files("--extend-exclude", "old/, train.py") == ["src/model.py"]
    assert list_files("--exclude", "old/") == ["made/model.py", "src/model.py", "train.py"]
    assert list_files("--exclude", "old", "old/model.py") == ["old/model.py"]
    assert list_files("--exclude", "old", "--force-exclude", "old/model.py", "made/model.py") == ["made/model.py"]
    monkeypatch.chdir(hazard.parent / "src")
    assert len(list_files("..")) == 3
    assert len(list_files("..", "--extend-exclude", "train.py")) == 2
    refused = inplace_lsp("check", "--exclude", "!")
    assert (refused.exit_code, "'!' is not a file pattern" in refused.stderr) == (2, True)


def test_show_settings_is_a_table_for_pyproject(hazard: Path):
    text = """\
[tool.inplace-lsp]
select = ["IP1", "IP2"]
ignore = ["IP103"]
exclude = ["generated/"]
torch = "2.6"

[tool.inplace-lsp.per-file-ignores]
"tests/**" = ["IP2"]
"""
    (hazard.parent / "pyproject.toml").write_text(text)
    result = inplace_lsp("check", "--show-settings", hazard.parent)
    assert result.exit_code == 0
    assert (
        f"# {hazard.parent / 'pyproject.toml'}: 1 file, the first is {hazard}\n# reported: IP101, IP102, IP201, "
        in (result.stdout)
    )
    shown = tomllib.loads(result.stdout)["tool"]["inplace-lsp"]
    assert {**shown, "models": []} == {**tomllib.loads(text)["tool"]["inplace-lsp"], "models": []}


@pytest.mark.parametrize("codes", ["", " ", ","])
def test_a_list_of_no_codes_is_refused(hazard: Path, codes: str):
    result = inplace_lsp("check", hazard, "--select", codes)
    assert (result.exit_code, "'--select': no code is given" in result.stderr) == (2, True)
    assert inplace_lsp("check", hazard, "--ignore", codes).exit_code == 1


def test_show_settings_without_a_table_names_what_is_on(hazard: Path):
    stdout = inplace_lsp("check", "--show-settings", hazard).stdout
    assert [code for code in CODES if code not in stdout] == ["IP401"]


REASON = "known since March"


def test_suppress_writes_a_comment_with_the_reason(hazard: Path):
    result = inplace_lsp("check", "--suppress", REASON, hazard)
    assert (result.exit_code, result.stderr) == (0, "Hid 1 finding.\n")
    assert hazard.read_text() == HAZARD.replace("y.add_(1)", f"y.add_(1)  # inplace: ignore[IP101]  {REASON}")
    assert rows(hazard) == []


def test_suppress_hides_all_that_is_found_on_lines_of_any_shape(tmp_path: Path):
    path = tmp_path / "train.py"
    program = """\
import torch

w = torch.rand(3, requires_grad=True)
y = w.exp()
text = '''
# no comment
'''; y.add_(  # a reason
    1,
); n = 1
z = w.exp()
z.mul_(2)  # inplace: ignore[IP901]
(y + z).sum().backward()
"""
    path.write_bytes(program.replace("\n", "\r\n").encode())
    before = rows(path)
    assert len(before) == 2
    assert inplace_lsp("check", "--suppress", REASON, path).exit_code == 0
    assert rows(path) == []
    text = path.read_bytes().decode()
    assert text.count("\r\n") == text.count("\n") == program.count("\n")
    assert text.count(REASON) == 1
    assert "ignore[IP901, IP101]" in text


def test_suppress_leaves_other_files_and_comments_alone(hazard: Path):
    fine = hazard.with_name("fine.py")
    fine.write_text(FINE + "# inplace: ignore-file\n")
    result = inplace_lsp("check", "--suppress", REASON, hazard.parent)
    assert (result.exit_code, fine.read_text()) == (1, FINE + "# inplace: ignore-file\n")
    assert "IP901" in result.stdout
    assert "IP101" not in result.stdout


def test_suppress_can_be_looked_at_first(hazard: Path):
    result = inplace_lsp("check", "--suppress", REASON, "--diff", hazard)
    assert (result.exit_code, hazard.read_text()) == (1, HAZARD)
    assert f"-y.add_(1)\n+y.add_(1)  # inplace: ignore[IP101]  {REASON}\n" in result.stdout


def test_suppress_from_standard_input():
    result = inplace_lsp("check", "--suppress", REASON, "-", stdin=HAZARD)
    assert (result.exit_code, result.stdout.count(REASON)) == (0, 1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--suppress", "why", "--fix"), "--suppress and --fix cannot go together"),
        (("--suppress", " "), "needs a reason"),
        (("--watch", "-"), "cannot watch standard input"),
        (("--watch", "--diff"), "--watch and --diff cannot go together"),
    ],
)
def test_what_cannot_go_together(arguments: tuple[str, ...], message: str):
    result = inplace_lsp("check", *arguments)
    assert (result.exit_code, message in result.stderr) == (2, True)


WATCH = """\
import signal
signal.signal(signal.SIGINT, signal.default_int_handler)
from inplace_lsp.cli.main import main
main()
"""
"""The workers of pytest ignore Ctrl-C, and so would what they start."""


def test_watch_checks_again_until_it_is_interrupted(hazard: Path):
    process = subprocess.Popen(
        [sys.executable, "-u", "-c", WATCH, "check", "--watch", "--output-format", "concise", str(hazard)],
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    too_long = Timer(60, process.kill)
    too_long.start()
    with process:
        try:
            assert "IP101" in process.stdout.readline()
            assert process.stderr.readline().startswith("Watching")
            assert process.stdout.readline().startswith("Found 1 hazard")
            hazard.with_name("other.txt").write_text("nothing to check")
            hazard.write_text(FINE)
            assert process.stdout.readline() == "Nothing found in 1 file.\n"
            hazard.unlink()
            hazard.write_text(HAZARD)
            assert "IP101" in process.stdout.readline()
            process.send_signal(signal.SIGINT)
            assert process.wait(20) == 130
        finally:
            too_long.cancel()
            process.kill()
