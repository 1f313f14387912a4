"""What is remembered between edits changes no answer: after each edit the analysis equals that of a fresh start."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from inplace_lsp import engine
from inplace_lsp.engine import Analysis
from inplace_lsp.memory import Memory

PROGRAM = """import torch
from torch import nn

SCALE = 2


def soften(x):
    y = x.exp()
    return helper(y)


def helper(t):
    t.mul_(SCALE)
    return t


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.act = nn.ReLU(inplace=True)

    def forward(self, x):
        h = torch.sigmoid(self.linear(x))
        return self.act(h)


x = torch.rand(3, requires_grad=True)
y = soften(x)
y.sum().backward()
Block()(torch.rand(2, 3)).sum().backward()
"""


INSERTED = ("\n", " ", "x", "2", "(", "_", "#", "\n\n", "y += 1\n", "SCALE")


def fresh(text: str, monkeypatch: pytest.MonkeyPatch) -> Analysis:
    with monkeypatch.context() as patch:
        patch.setattr(engine, "_MEMORY", Memory())
        return engine.analyse(text, "/program.py")


def plain(analysis: Analysis) -> Analysis:
    """Without the tapes' order of paths, which is no answer to anybody."""
    return replace(analysis, tapes=())


def test_the_program_has_findings(monkeypatch: pytest.MonkeyPatch) -> None:
    assert {one.code for one in fresh(PROGRAM, monkeypatch).findings} == {"IP101"}


@pytest.mark.parametrize("seed", range(6))
def test_random_edits(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    chance = random.Random(seed)
    text = PROGRAM
    for _ in range(40):
        at = chance.randrange(len(text) + 1)
        if chance.random() < 0.3:
            text = text[:at] + text[at + chance.randrange(6) :]
        else:
            text = text[:at] + chance.choice(INSERTED) + text[at:]
        if chance.random() < 0.2:
            text = PROGRAM
        assert plain(engine.analyse(text, "/program.py")) == plain(fresh(text, monkeypatch)), text


def test_lines_move(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse(PROGRAM, "/program.py")
    text = "# a comment\n\n" + PROGRAM.replace("class Block", "\n\nclass Block")
    assert engine.analyse(text, "/program.py") == fresh(text, monkeypatch)


def test_a_helper_changes_its_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    engine.analyse(PROGRAM, "/program.py")
    text = PROGRAM.replace("t.mul_(SCALE)", "t = t.mul(SCALE)")
    rows = [one.span.row for one in engine.analyse(text, "/program.py").findings]
    assert rows == [one.span.row for one in fresh(text, monkeypatch).findings]
    assert len(rows) == 1


@pytest.mark.parametrize("statement", ["v[0] = 0.5", "v.data = x", "v[0]: float = 0.5"])
def test_a_number_written_into_a_tensor_is_no_definition(statement: str, monkeypatch: pytest.MonkeyPatch) -> None:
    program = (
        "import torch\n\nx = torch.rand(4, requires_grad=True)\nv = x.view(-1)\n{}\nv.mul_(2)\nv.sum().backward()\n"
    )
    engine.analyse(program.format(statement), "/program.py")
    text = program.format("pass")
    assert plain(engine.analyse(text, "/program.py")) == plain(fresh(text, monkeypatch))
