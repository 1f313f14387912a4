"""What analyses keep between files has a bound, and giving it back changes no answer."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from inplace_lsp import memory_limit

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


GIVING_BACK = """\
import sys
from pathlib import Path

from inplace_lsp import memory_limit
from inplace_lsp.cli import run
from inplace_lsp.cli.reports import Job
from inplace_lsp.config import DEFAULT
from inplace_lsp.interpret.state import signatures
from inplace_lsp.source.units import parse_chunk
from inplace_lsp.torch_ops import table


def check_all():
    return [(report.findings, report.gaps, report.errors) for report in run.run_jobs(jobs, 1)]


def give_back_always():
    memory_limit._limit = memory_limit._Limit(0)
    done.append(memory_limit.give_back_memory())
    caches = parse_chunk, table._find_in_column, table.find_module
    assert [cache.cache_info().currsize for cache in caches] == [0, 0, 0] and not signatures._PLANS
    return done[-1]


jobs = [Job(str(path), DEFAULT) for path in sorted(Path(sys.argv[1]).iterdir())] * 2
usual, done = check_all(), []
assert any(found for found, _, _ in usual)
memory_limit.LARGE = memory_limit.MORE = 0
run.give_back_memory = give_back_always
assert check_all() == usual
assert done == [True] * len(jobs)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the size of a process is asked of Linux")
def test_what_is_given_back_changes_no_answer(tmp_path: Path) -> None:
    for number in range(5):
        (tmp_path / f"helper{number}.py").write_text(HELPER.format(number))
        (tmp_path / f"caller{number}.py").write_text(CALLER.format(number))
    # a process of its own: in that of the tests, which holds all of torch, collecting garbage takes a minute
    subprocess.run([sys.executable, "-c", GIVING_BACK, str(tmp_path)], check=True)


def test_a_small_process_keeps_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_limit, "_limit", memory_limit._Limit(1 << 60))
    assert not memory_limit.give_back_memory()
