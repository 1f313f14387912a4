"""A small tree for the benchmark of hostile files: ended checks leave nothing, two at once say the same."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).parents[2] / "benchmarks" / "hostile_files.py"


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("hostile_files", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    monkeypatch.setitem(sys.modules, spec.name, module)
    monkeypatch.syspath_prepend(SCRIPT.parent)
    spec.loader.exec_module(module)
    return module


@pytest.mark.skipif(sys.platform != "linux", reason="processes are looked for in /proc")
def test_sixty_files(benchmark: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    monkeypatch.setattr(benchmark, "MOMENTS", (0.8,))
    assert benchmark.main(["--files", "60"]) == 0, capsys.readouterr().out


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell what a process has spent")
def test_small_trees_that_are_odd_in_themselves(benchmark: ModuleType, tmp_path: Path):
    (tmp_path / "temporary").mkdir()
    setup = benchmark.Setup(tmp_path / "odd", tmp_path / "cache", tmp_path / "temporary")
    assert list(benchmark.feed(setup)) == []
