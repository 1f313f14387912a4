"""What is compiled at the start is compiled once; the copy can be missing, unwritable or from another version."""

from __future__ import annotations

import marshal
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import pytest

from inplace_lsp.lsp.code_cache import compile_once
from inplace_lsp.lsp.server import LATE_REQUESTS

SOURCE = "answer = 42"


def run(kept: Path) -> int:
    attrs, dataclasses = SimpleNamespace(), SimpleNamespace()
    compiled: dict[str, int] = {}
    executed: dict[str, int] = {}
    with compile_once((attrs, dataclasses), kept):
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


LATE = (
    *("inplace_lsp.engine", "inplace_lsp.source", "inplace_lsp.interpret.entries", "inplace_lsp.interpret.machine"),
    *("inplace_lsp.torch_ops", "inplace_lsp.hazards.registry", "inplace_lsp.fixes", "inplace_lsp.report.tape_text"),
    *(
        "inplace_lsp.lsp.requests.hover",
        "inplace_lsp.lsp.requests.code_action",
        "inplace_lsp.lsp.session.proving",
        "inplace_lsp.report.trace",
    ),
    *("inplace_lsp.verify", "jedi", "libcst", "rich"),
)
"""What the answer to `initialize` does not need."""


def modules_after(code: str) -> set[str]:
    """What a Python of its own has loaded after `code`."""
    look = f"{code}\nimport sys; print(*sys.modules)"
    return set(subprocess.run([sys.executable, "-c", look], capture_output=True, text=True, check=True).stdout.split())


def test_initialize_is_answered_before_the_analysis_is_loaded() -> None:
    loaded = modules_after("from inplace_lsp.lsp.server import Server; Server()")
    assert [name for name in loaded if name.startswith(LATE)] == []


def test_the_analysis_is_loaded_before_somebody_waits_for_it() -> None:
    """What comes after `initialize` includes neither repairs nor pictures, nor anything that runs code."""
    loaded = modules_after(
        "from inplace_lsp.lsp import lazy_loading\nfrom inplace_lsp.lsp.server import Server\n"
        "Server(); lazy_loading.load_analysis()"
    )
    assert "inplace_lsp.engine" in loaded
    late = (
        "inplace_lsp.verify",
        "inplace_lsp.fixes",
        "inplace_lsp.lsp.session.proving",
        "inplace_lsp.report.trace",
        "libcst",
    )
    assert [name for name in loaded if name.startswith((*late, "jedi", "rich"))] == []


def test_what_is_loaded_late_is_there() -> None:
    for name, _ in LATE_REQUESTS.values():
        assert callable(import_module(f"inplace_lsp.lsp.{name}").handle)
