"""What `torch.vmap` refuses: no hazard of autograd's, and the line that torch raised on is to blame."""

from __future__ import annotations

import traceback
from pathlib import Path

import pytest

from inplace_lsp.cli.sources import Sources
from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.why.answer import Answer, explain_errors
from inplace_lsp.why.gather import gather_clues
from inplace_lsp.why.reading import read_errors

PROGRAM = """\
import torch
from torch.func import vmap


def spread(row):
    counts = torch.zeros(4)
    weights = torch.ones(4)
    {write}
    return counts + weights


vmap(spread)(torch.rand(3, 4))
"""
WRITES = [
    "counts[0] = row.sum()",
    "counts[torch.tensor([0, 1])] = row[:2]",
    "weights.mul_(row)",
    "weights.masked_fill_(row > 0.5, 0.0)",
    "counts.copy_(row)",
    "counts.scatter_(0, torch.tensor([0]), row[:1])",
]


def explain(text: str, file: Path) -> Answer:
    """Run the program, which must fail, and explain what torch says."""
    file.write_text(text, encoding="utf-8")
    try:
        exec(compile(text, str(file), "exec"), {"__name__": "__main__"})
    except RuntimeError:
        log = traceback.format_exc()
    else:
        pytest.fail("torch does not refuse it")
    clues = gather_clues(text, str(file), make_facts(DEFAULT))
    return explain_errors(read_errors(log), [clues], Sources(()))


@pytest.mark.filterwarnings("ignore:There is a performance drop")
@pytest.mark.parametrize("write", WRITES)
def test_the_line_that_vmap_refuses_is_named(write: str, tmp_path: Path) -> None:
    [candidate] = explain(PROGRAM.format(write=write), tmp_path / "spread.py").candidates
    assert (candidate.span.row, candidate.code) == (8, "")
    assert candidate.message.startswith("`vmap` refuses this line")


def test_running_averages_under_vmap(tmp_path: Path) -> None:
    text = "import torch\n\nnorm = torch.nn.BatchNorm1d(4)\ntorch.vmap(norm)(torch.rand(3, 5, 4))\n"
    [candidate] = explain(text, tmp_path / "norm.py").candidates
    assert candidate.span.row == 4


@pytest.mark.parametrize("tensor", ["row.new_zeros(4)", "torch.zeros_like(row)"])
def test_what_the_message_advises_runs(tensor: str) -> None:
    text = PROGRAM.format(write="counts.copy_(row)").replace("torch.zeros(4)", tensor)
    exec(compile(text, "spread.py", "exec"), {"__name__": "__main__"})
