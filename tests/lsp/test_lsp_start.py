"""What is compiled at the start is compiled once, and what is kept of it can be missing, foreign or unwritable."""

from __future__ import annotations

import marshal
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from inplace_lsp.lsp.start import compiled_once

SOURCE = "answer = 42"


def run(kept: Path) -> int:
    attrs, dataclasses = SimpleNamespace(), SimpleNamespace()
    compiled: dict[str, int] = {}
    executed: dict[str, int] = {}
    with compiled_once((attrs, dataclasses), kept):
        exec(attrs.compile(SOURCE, "<string>", "exec"), compiled)
        dataclasses.exec(SOURCE, {}, executed)
    assert not vars(attrs)
    assert not vars(dataclasses)
    assert executed["answer"] == compiled["answer"]
    return executed["answer"]


@pytest.fixture(autouse=True)
def _bytecode_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", False)


def test_code_is_taken_from_the_file(tmp_path: Path) -> None:
    kept = tmp_path / "kept.code"
    assert run(kept) == 42
    (key,) = marshal.loads(kept.read_bytes())
    kept.write_bytes(marshal.dumps({key: compile("answer = 43", "<string>", "exec")}))
    assert run(kept) == 43


def test_other_source_is_compiled(tmp_path: Path) -> None:
    kept = tmp_path / "kept.code"
    kept.write_bytes(marshal.dumps({"exec <string>\nanswer = 1": compile("answer = 1", "<string>", "exec")}))
    assert run(kept) == 42


@pytest.mark.parametrize("content", [b"", b"\xff\x00 nothing of ours", marshal.dumps([1, 2])])
def test_a_file_that_is_none_of_ours(tmp_path: Path, content: bytes) -> None:
    kept = tmp_path / "kept.code"
    kept.write_bytes(content)
    assert run(kept) == 42


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert run(tmp_path / "nowhere" / "kept.code") == 42


def test_nothing_is_written_where_python_writes_no_byte_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    assert run(tmp_path / "kept.code") == 42
    assert not list(tmp_path.iterdir())


def test_what_verifies_and_draws_is_not_loaded_at_the_start() -> None:
    look = "import sys, inplace_lsp.lsp.server; print(*(name for name in sys.modules if 'inplace_lsp' in name))"
    loaded = subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout.split()
    late = ("inplace_lsp.verify", "inplace_lsp.lsp.proving", "inplace_lsp.report.trace")
    assert [name for name in loaded if name.startswith(late)] == []
