"""Whatever a name leads to: only regular files of a sane size are read, and no pattern takes long."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from cli.commandline import HAZARD, inplace_lsp, rows
from inplace_lsp import disk
from inplace_lsp.patterns import read_patterns

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes and devices in folders here")

CALLER = "import torch\nfrom helper import touch\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ny.add_(1)\n"
CALLER += "touch(y)\ny.sum().backward()\n"


def make_unfit(path: Path, kind: str) -> None:
    """What blocks, never ends, or is larger than anybody writes."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "zero":
        path.symlink_to("/dev/zero")
    else:
        with path.open("wb") as file:
            file.truncate(10**9)


@pytest.fixture(params=["pipe", "zero", "huge"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def why(kind: str, largest: int = disk.LARGEST) -> str:
    return disk.too_large(largest) if kind == "huge" else "not a regular file"


def test_a_file_to_check_is_named(tmp_path: Path, kind: str):
    make_unfit(tmp_path / "odd.py", kind)
    result = inplace_lsp("check", tmp_path / "odd.py")
    assert (result.exit_code, result.stderr) == (2, f"inplace-lsp: cannot check {tmp_path}/odd.py: {why(kind)}\n")


@pytest.mark.parametrize("name", ["helper.py", "helper/__init__.py"])
def test_an_imported_module_is_unknown(tmp_path: Path, kind: str, name: str):
    make_unfit(tmp_path / name, kind)
    (tmp_path / "train.py").write_text(CALLER)
    assert rows(tmp_path / "train.py") == [("train.py", 6, "IP101")]


def test_jedi_reads_no_such_module(tmp_path: Path, kind: str):
    """Whether it would block is not known beforehand: a process of its own, which can be ended."""
    make_unfit(tmp_path / "helper.py", kind)
    (tmp_path / "train.py").write_text(
        "import torch\nimport helper\n\ndef f(x, y):\n    x.exp_()\n\nf(helper.g(), 1)\n"
    )
    command = [sys.executable, "-m", "inplace_lsp", "check", "--infer-types", str(tmp_path / "train.py")]
    done = subprocess.run(command, timeout=300, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_gitignore_is_passed_over_with_a_word(tmp_path: Path, kind: str):
    make_unfit(tmp_path / ".gitignore", kind)
    (tmp_path / "train.py").write_text(HAZARD)
    result = inplace_lsp("check", tmp_path)
    assert "train.py:5:1: error[IP101]" in result.stdout
    assert result.stderr == f"inplace-lsp: cannot check {tmp_path}/.gitignore: {why(kind, 64_000)}; it is ignored\n"


def test_a_configuration_cannot_be_used(tmp_path: Path, kind: str):
    make_unfit(tmp_path / "pyproject.toml", kind)
    (tmp_path / "train.py").write_text(HAZARD)
    result = inplace_lsp("check", tmp_path)
    assert result.exit_code == 2
    assert "train.py:5:1: error[IP101]" in result.stdout
    what = f"{tmp_path}/pyproject.toml: cannot be read: {why(kind, 256_000)}"
    assert result.stderr == f"inplace-lsp: cannot use {what}. The defaults are used.\n"


def test_a_model_file_is_none(tmp_path: Path, kind: str):
    make_unfit(tmp_path / "models" / "helper.py", kind)
    (tmp_path / "pyproject.toml").write_text('[tool.inplace-lsp]\nmodels = ["models"]\n')
    (tmp_path / "train.py").write_text(CALLER)
    assert rows(tmp_path / "train.py") == [("train.py", 6, "IP101")]


def test_standard_input_without_end():
    with open("/dev/zero", "rb") as zero:
        command = [sys.executable, "-m", "inplace_lsp", "check", "-"]
        done = subprocess.run(command, stdin=zero, timeout=300, capture_output=True, check=False)
    assert (done.returncode, done.stderr.decode()) == (2, f"inplace-lsp: cannot check standard input: {why('huge')}\n")


@pytest.mark.parametrize(
    ("pattern", "path"),
    [
        ("*a" * 40 + "*b", "a" * 255),
        ("*" * 200 + "b", "a" * 255),
        ("**/a/" * 20 + "b", "a/" * 1000 + "c"),
        ("x/" + "**/a/" * 20 + "b", "x/" + "a/" * 1000 + "c"),
        ("**/*a*a*a/" * 10 + "b", "aaaaaaaa/" * 400 + "c"),
    ],
)
def test_no_pattern_takes_long(pattern: str, path: str):
    start = time.process_time()
    assert read_patterns([pattern]).check_file(path).include is None
    assert time.process_time() - start < 5


def test_a_long_pattern_hangs_neither_gitignore_nor_exclude(tmp_path: Path):
    (tmp_path / ("a" * 200 + ".py")).write_text(HAZARD)
    (tmp_path / ".gitignore").write_text("*a" * 30 + "*b\n[z-a]\n")
    (tmp_path / "pyproject.toml").write_text(f'[tool.inplace-lsp]\nexclude = ["{"*a" * 30}*b"]\n')
    start = time.process_time()
    assert [code for _, _, code in rows(tmp_path)] == ["IP101"]
    assert time.process_time() - start < 10


def test_a_file_in_which_there_is_nothing_yet_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A regular file may make its readers wait, as /proc/kmsg does: here a pipe that passes for one."""
    waits = tmp_path / "waits.py"
    os.mkfifo(waits)
    writer = os.open(waits, os.O_RDWR)
    monkeypatch.setattr(disk, "check_fit", lambda *arguments: None)
    try:
        with pytest.raises(OSError, match="nothing to read from it now"):
            disk.read_bytes(waits)
    finally:
        os.close(writer)
