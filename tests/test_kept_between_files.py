"""What analyses keep between files has a bound, and giving it back changes no answer."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from inplace_lsp import kept
from inplace_lsp.cli.reports import Job
from inplace_lsp.cli.run import run_jobs
from inplace_lsp.config import DEFAULT
from inplace_lsp.source.units import parse_chunk

HELPER = "import torch\n\n\ndef shift(x):\n    x.add_({0})\n    return x\n"
CALLER = """\
import torch
from helper{0} import shift


class Net(torch.nn.Module):
    def forward(self, x):
        y = x.exp()
        shift(y)
        return y
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is asked of Linux")
def test_what_is_given_back_changes_no_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(5):
        (tmp_path / f"helper{number}.py").write_text(HELPER.format(number))
        (tmp_path / f"caller{number}.py").write_text(CALLER.format(number))
    jobs = [Job(str(path), DEFAULT) for path in sorted(tmp_path.iterdir())] * 2
    usual = [(report.findings, report.gaps, report.errors) for report in run_jobs(jobs, 1)]
    assert any(found for found, _, _ in usual)
    monkeypatch.setattr(kept, "LARGE", 0)
    monkeypatch.setattr(kept, "MORE", 0)
    monkeypatch.setattr(kept, "_limit", kept._Limit(0))
    done: list[bool] = []

    def count() -> bool:
        monkeypatch.setattr(kept, "_limit", kept._Limit(0))
        done.append(kept.give_back_if_large())
        assert parse_chunk.cache_info().currsize == 0
        return done[-1]

    monkeypatch.setattr("inplace_lsp.cli.run.give_back_if_large", count)
    assert [(report.findings, report.gaps, report.errors) for report in run_jobs(jobs, 1)] == usual
    assert done == [True] * len(jobs)


def test_a_small_process_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept, "_limit", kept._Limit(1 << 60))
    assert not kept.give_back_if_large()
