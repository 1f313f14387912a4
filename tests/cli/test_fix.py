"""`check --fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD, inplace_lsp
from inplace_lsp.cli import fix
from inplace_lsp.cli.reports import FileReport

REPAIRED = HAZARD.replace("y.add_(1)", "y = y.add(1)")
ONLY_UNSAFE = """\
import torch

w = torch.rand(3, requires_grad=True)
w.add_(1)
w.sum().backward()
"""
"""Out of place, `w` is no leaf any more: it gets no `.grad`."""


@pytest.fixture
def hazard(tmp_path: Path) -> Path:
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    return path


def test_the_file_is_repaired_and_nothing_is_left(hazard: Path):
    result = inplace_lsp("check", "--fix", hazard)
    assert (result.exit_code, hazard.read_text()) == (0, REPAIRED)
    assert result.stderr == "Repaired 1 hazard.\n"


def test_a_diff_changes_nothing(hazard: Path):
    result = inplace_lsp("check", "--diff", hazard)
    assert (result.exit_code, hazard.read_text()) == (1, HAZARD)
    assert "-y.add_(1)\n+y = y.add(1)\n" in result.stdout


def test_no_difference_is_status_0(tmp_path: Path):
    (tmp_path / "fine.py").write_text(FINE)
    result = inplace_lsp("check", "--diff", tmp_path)
    assert (result.exit_code, result.stdout) == (0, "")


def test_unsafe_repairs_are_made_only_when_asked_for(tmp_path: Path):
    path = tmp_path / "train.py"
    path.write_text(ONLY_UNSAFE)
    assert inplace_lsp("check", "--fix", path).exit_code == 1
    assert path.read_text() == ONLY_UNSAFE
    assert inplace_lsp("check", "--fix", "--unsafe-fixes", path).exit_code == 0
    assert path.read_text() != ONLY_UNSAFE


NOT_REPAIRED = """\
import torch
from torch import nn


class Trainer:
    def __init__(self):
        self.net = nn.Linear(4, 4)
        self.opt = torch.optim.SGD(self.net.parameters(), 0.1)

    def forward(self, x):
        self.out = self.net(self.net(x))

    def step(self):
        self.out.sum().backward(retain_graph=True)
        self.opt.step()
        self.out.sum().backward()


trainer = Trainer()
trainer.forward(torch.randn(2, 4))
trainer.step()
"""


def test_no_option_is_named_that_has_just_repaired_nothing(tmp_path: Path):
    path = tmp_path / "kept.py"
    path.write_text(NOT_REPAIRED)
    assert "with --fix --unsafe-fixes" in inplace_lsp("check", path).stdout
    for option in ("--fix", "--diff"):
        said = inplace_lsp("check", option, "--unsafe-fixes", path).output
        assert "unsafe-fixes" not in said
        assert "1 is left." in said or "Found 1 hazard (1 error) in 1 of 1 file. See" in said


def test_encoding_line_ends_and_mode_are_kept(tmp_path: Path):
    path = tmp_path / "train.py"
    head = "# -*- coding: latin-1 -*-\n# Grüße\n"
    path.write_bytes((head + HAZARD).replace("\n", "\r\n").encode("latin-1"))
    path.chmod(0o750)
    inplace_lsp("check", "--fix", path)
    assert path.read_bytes() == (head + REPAIRED).replace("\n", "\r\n").encode("latin-1")
    assert path.stat().st_mode & 0o777 == 0o750
    assert os.listdir(tmp_path) == ["train.py"]


def test_standard_input_goes_repaired_to_standard_output():
    result = inplace_lsp("check", "--fix", "-", stdin=HAZARD)
    assert (result.exit_code, result.stdout) == (0, REPAIRED)


@pytest.mark.parametrize(
    ("head", "encoding"),
    [("# größe\n", "utf-8"), ("# größe\n", "utf-8-sig"), ("# -*- coding: latin-1 -*-\n# größe\r\n", "latin-1")],
)
def test_every_text_comes_back_in_its_own_encoding(tmp_path: Path, head: str, encoding: str):
    """Whatever that of the terminal is."""
    path = tmp_path / "train.py"
    path.write_bytes((head + HAZARD).encode(encoding))

    def run(*arguments: str) -> bytes:
        command = [sys.executable, "-m", "inplace_lsp", "check", *arguments]
        terminal = {**os.environ, "PYTHONIOENCODING": "ascii"}
        with path.open("rb") as stdin:
            return subprocess.run(command, stdin=stdin, capture_output=True, env=terminal, check=False).stdout

    patch = run("--diff", str(path))
    assert run("--fix", "-") == (head + REPAIRED).encode(encoding)
    subprocess.run(["git", "apply", "--unsafe-paths", "-p0", "-"], cwd="/", input=patch, check=True)
    assert path.read_bytes() == (head + REPAIRED).encode(encoding)


def test_what_a_comment_hides_is_left_alone(hazard: Path):
    text = HAZARD.replace("y.add_(1)", "y.add_(1)  # inplace: ignore[IP101]")
    hazard.write_text(text)
    assert inplace_lsp("check", "--fix", hazard).exit_code == 0
    assert hazard.read_text() == text


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("odd", ["\x0c", "\x1c", "\u2028"])
def test_a_diff_can_be_applied(tmp_path: Path, end: str, odd: str):
    """What only `str.splitlines` takes for the end of a line is none in a patch."""
    text = HAZARD.replace("y.add_", f"# a{odd}b\ny.add_").rstrip("\n").replace("\n", end)
    path = tmp_path / "train.py"
    path.write_bytes(text.encode())
    patch = inplace_lsp("check", "--diff", path).stdout_bytes
    done = subprocess.run(["git", "apply", "--unsafe-paths", "-p0", "-"], cwd="/", input=patch, check=False)
    assert done.returncode == 0
    assert path.read_bytes() == text.replace("y.add_(1)", "y = y.add(1)").encode()


def test_a_link_stays_a_link(hazard: Path):
    link = hazard.with_name("link.py")
    link.symlink_to(hazard.name)
    assert inplace_lsp("check", "--fix", link).exit_code == 0
    assert link.is_symlink()
    assert hazard.read_text() == REPAIRED


def test_what_was_written_in_the_meantime_is_not_lost(hazard: Path):
    hazard.write_text("new = 1\n")
    report = FileReport(str(hazard), before=HAZARD, after=REPAIRED, repairs=1)
    written = fix.write_repairs([report], {})
    assert (written.changes, hazard.read_text()) == (0, "new = 1\n")
    assert written.refused[str(hazard)].endswith("train.py: it was changed during the check; run the check again")


def test_a_file_that_cannot_be_written_is_named(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    def refuse(*_: object) -> None:
        raise PermissionError(13, "Permission denied", "somewhere else")

    monkeypatch.setattr(os, "fsync", refuse)
    assert refusal(hazard) == "Permission denied"


def refusal(path: Path) -> str:
    """Why a file is not repaired. It is as it was, and alone in its folder."""
    before, status = path.read_bytes(), path.stat()
    result = inplace_lsp("check", "--fix", path)
    assert result.exit_code == 2
    assert (path.read_bytes(), path.stat().st_ino) == (before, status.st_ino)
    assert not [name for name in os.listdir(path.parent) if name.startswith(".")]
    start = f"inplace-lsp: cannot repair {path}: "
    assert result.stderr.startswith(start)
    return result.stderr.removeprefix(start).rstrip("\n")


def test_a_read_only_file_stays_as_it_is(hazard: Path):
    hazard.chmod(0o444)
    assert refusal(hazard) == "it is read-only"
    assert hazard.stat().st_mode & 0o777 == 0o444


@pytest.mark.parametrize("options", [["--fix"], ["--suppress", "known"]])
def test_what_could_not_be_written_is_still_reported(hazard: Path, options: list[str]):
    other = hazard.with_name("other.py")
    other.write_text(HAZARD)
    hazard.chmod(0o444)
    told = inplace_lsp("check", *options, "--output-format", "concise", hazard.parent).stdout
    assert told.startswith(f"{hazard}:5:1: error[IP101]")
    assert told.splitlines()[1].startswith("Found 1 hazard (1 error) in 1 of 2 files.")


def test_a_file_with_two_names_keeps_both(hazard: Path):
    other = hazard.with_name("other.py")
    other.hardlink_to(hazard)
    assert refusal(hazard) == "it has 2 names (hard links), and rewriting it would separate them"
    assert other.samefile(hazard)


@pytest.mark.skipif(not hasattr(os, "chown") or os.getuid() != 0, reason="only root can make another user's file")
def test_a_file_keeps_its_owner(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    os.chown(hazard, 1234, 4321)
    assert inplace_lsp("check", "--fix", hazard).exit_code == 0
    assert (hazard.read_text(), hazard.stat().st_uid, hazard.stat().st_gid) == (REPAIRED, 1234, 4321)
    hazard.write_text(HAZARD)

    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chown", refuse)
    assert refusal(hazard) == "it belongs to another user or group, which rewriting it would change"


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_a_file_keeps_its_extended_attributes(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    try:
        os.setxattr(hazard, "user.origin", b"me")
    except OSError:
        pytest.skip("no extended attributes in this folder")
    assert inplace_lsp("check", "--fix", hazard).exit_code == 0
    assert (hazard.read_text(), os.getxattr(hazard, "user.origin")) == (REPAIRED, b"me")
    hazard.write_text(HAZARD)
    monkeypatch.setattr(shutil, "copystat", shutil.copymode)
    assert refusal(hazard) == "it has permissions or extended attributes that rewriting it would not keep"


@pytest.mark.skipif(not hasattr(os, "O_TMPFILE"), reason="every file has a name here")
def test_whoever_is_killed_leaves_no_unfinished_file(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    seen: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda descriptor: seen.append(os.listdir(hazard.parent)))
    assert inplace_lsp("check", "--fix", hazard).exit_code == 0
    assert (hazard.read_text(), seen) == (REPAIRED, [[hazard.name]])


def test_a_file_is_repaired_where_every_file_has_a_name(hazard: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delattr(os, "O_TMPFILE", raising=False)
    assert inplace_lsp("check", "--fix", hazard).exit_code == 0
    assert (hazard.read_text(), os.listdir(hazard.parent)) == (REPAIRED, [hazard.name])


@pytest.mark.parametrize("encoding", ["unicode_escape", "raw_unicode_escape", "utf-7"])
def test_an_encoding_that_does_not_give_the_text_back_is_refused(tmp_path: Path, encoding: str):
    path = tmp_path / "train.py"
    path.write_bytes(f"# coding: {encoding}\n# \\x41 \\u0041 +AEE-\n{HAZARD}".encode())
    assert refusal(path).endswith("cannot reproduce the file exactly")
    shown = inplace_lsp("check", "--diff", path)
    assert (shown.exit_code, shown.stdout) == (2, "")
    given = inplace_lsp("check", "--fix", "-", stdin=path.read_bytes())
    assert (given.exit_code, given.stdout_bytes) == (2, path.read_bytes())
