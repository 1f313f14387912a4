"""What `check` keeps from one run to the next: it may change how long an answer takes, never the answer."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.commandline import FINE, HAZARD, inplace_lsp, rows
from inplace_lsp.cli import run

CALLER = "import torch\nfrom helper import touch\n\nx = torch.rand(3, requires_grad=True)\ny = x.exp()\ntouch(y)\n"
CALLER += "y.sum().backward()\n"
WRITES = "def touch(t):\n    t.add_(1)\n"
READS = "def touch(t):\n    return t.add(1)\n"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("INPLACE_LSP_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the files that were really analysed."""
    names: list[str] = []

    def check_text(text: str, filename: str, *rest: object) -> object:
        names.append(Path(filename).name)
        return real(text, filename, *rest)

    real = run.check_text
    monkeypatch.setattr(run, "check_text", check_text)
    return names


def test_a_second_run_says_the_same_without_an_analysis(tmp_path: Path, folder: Path, analysed: list[str]):
    (tmp_path / "train.py").write_text(HAZARD)
    first = inplace_lsp("check", "--statistics", tmp_path)
    second = inplace_lsp("check", "--statistics", tmp_path)
    assert (second.stdout, second.exit_code) == (first.stdout, 1)
    assert analysed == ["train.py"]


def test_a_changed_file_is_analysed_again(tmp_path: Path, folder: Path):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    assert rows(path) == [("train.py", 5, "IP101")]
    path.write_text(FINE)
    assert rows(path) == []


def test_a_changed_helper_changes_what_its_callers_do(tmp_path: Path, folder: Path):
    (tmp_path / "helper.py").write_text(READS)
    (tmp_path / "train.py").write_text(CALLER)
    assert rows(tmp_path) == []
    (tmp_path / "helper.py").write_text(WRITES)
    assert rows(tmp_path) == [("helper.py", 2, "IP101")]
    (tmp_path / "helper.py").unlink()
    assert rows(tmp_path) == []


def test_other_options_are_another_question(tmp_path: Path, folder: Path):
    (tmp_path / "train.py").write_text(HAZARD)
    assert rows(tmp_path) == [("train.py", 5, "IP101")]
    assert rows("--ignore", "IP101", tmp_path) == []
    assert inplace_lsp("check", tmp_path).exit_code == 1


@pytest.mark.parametrize("damage", ["", "{}", "[1]", '{"key": 1, "answers": 2}', "\0"])
def test_a_damaged_entry_is_no_entry(tmp_path: Path, folder: Path, damage: str):
    (tmp_path / "train.py").write_text(HAZARD)
    assert rows(tmp_path / "train.py") == [("train.py", 5, "IP101")]
    [entry] = folder.rglob("*.entry")
    entry.write_text(damage)
    assert rows(tmp_path / "train.py") == [("train.py", 5, "IP101")]


def test_an_entry_with_a_flipped_bit_is_no_entry(tmp_path: Path, folder: Path, analysed: list[str]):
    (tmp_path / "train.py").write_text(HAZARD)
    expected = inplace_lsp("check", tmp_path / "train.py").stdout
    [entry] = folder.rglob("*.entry")
    whole = entry.read_bytes()
    for at in range(0, len(whole), len(whole) // 40):
        entry.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert inplace_lsp("check", tmp_path / "train.py").stdout == expected
    assert len(analysed) == 1 + len(range(0, len(whole), len(whole) // 40))


@pytest.mark.parametrize(
    "entry",
    [
        {"key": 1},
        {"answers": 3},
        {"answers": [[1, [], {}, 4]]},
        {"answers": {"/main.py": ["x"]}},
        {"answers": {"/main.py": [1]}},
        {"report": []},
        {"report": {"filename": 3, "findings": {"a": None}}},
        {"report": {"findings": [{"span": "x"}]}},
        "[" * 100_000 + "]" * 100_000,
        [1],
        None,
    ],
    ids=lambda entry: str(entry)[:30],
)
def test_a_whole_entry_of_another_shape_is_no_entry(tmp_path: Path, folder: Path, entry: object):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    expected = rows(path)
    [kept] = folder.rglob("*.entry")
    if isinstance(entry, dict):
        entry = json.dumps({**json.loads(kept.read_bytes().partition(b"\n")[2]), **entry})
    data = (entry if isinstance(entry, str) else json.dumps(entry)).encode()
    kept.write_bytes(hashlib.sha256(data).hexdigest().encode() + b"\n" + data)
    assert rows(path) == expected


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_an_entry_that_is_no_file_is_no_entry(tmp_path: Path, folder: Path):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    expected = rows(path)
    [entry] = folder.rglob("*.entry")
    entry.unlink()
    os.mkfifo(entry)
    assert rows(path) == expected
    entry.unlink()
    entry.mkdir()
    assert rows(path) == expected
    assert os.listdir(entry.parent) == [entry.name]


@pytest.mark.parametrize("left", ["a file", "a folder", "a pipe"])
def test_what_a_killed_check_left_unfinished_is_in_nobodys_way(tmp_path: Path, folder: Path, left: str):
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    expected = rows(path)
    [entry] = folder.rglob("*.entry")
    entry.unlink()
    unfinished = entry.with_suffix(".unfinished")
    if left == "a folder":
        unfinished.mkdir()
    elif left == "a file":
        unfinished.write_text("half")
    elif hasattr(os, "mkfifo"):
        os.mkfifo(unfinished)
    assert rows(path) == expected
    assert os.listdir(entry.parent) == [unfinished.name if left == "a folder" else entry.name]


def test_no_cache_keeps_nothing(tmp_path: Path, folder: Path):
    (tmp_path / "train.py").write_text(HAZARD)
    assert rows("--no-cache", tmp_path) == [("train.py", 5, "IP101")]
    assert not folder.exists()


def test_a_cache_that_cannot_be_written_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "file").write_text("no folder")
    monkeypatch.setenv("INPLACE_LSP_CACHE_DIR", str(tmp_path / "file" / "cache"))
    (tmp_path / "train.py").write_text(HAZARD)
    assert rows(tmp_path / "train.py") == [("train.py", 5, "IP101")]


def test_what_is_remembered_needs_no_analysis(tmp_path: Path, folder: Path):
    """Neither is what an analysis takes loaded, nor what only repairs, types or other commands need."""
    path = tmp_path / "train.py"
    path.write_text(HAZARD)
    check = f"commands.command_group(['check', '-q', {str(path)!r}], standalone_mode=False)"
    look = (
        "import sys\nfrom inplace_lsp.cli import commands\n"
        f"try:\n    {check}\nexcept SystemExit:\n    print(*sys.modules, file=sys.stderr)"
    )
    for again in (False, True):
        done = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True)
        loaded = set(done.stderr.split())
        assert "IP101" in done.stdout
        assert ("inplace_lsp.engine" in loaded) is not again
        late = ("libcst", "jedi", "pygls", "lsprotocol", "inplace_lsp.fixes", "inplace_lsp.verify", "inplace_lsp.lsp")
        assert [name for name in loaded if name.startswith(late)] == []
