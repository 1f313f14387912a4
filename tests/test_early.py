"""The edited function is judged first and its findings are told; what depends on it follows."""

from __future__ import annotations

import random

import pytest

from inplace_lsp import engine, outcomes
from inplace_lsp.analysis import Analysis
from inplace_lsp.interpret.state.facts import NO_FACTS
from inplace_lsp.memory import AnalysisMemory

FILE = "/early.py"

PROGRAM = """import torch
from torch import nn


def helper(t):
    return t + 1


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        h = torch.sigmoid(self.linear(x))
        return helper(h)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.block = Block()

    def forward(self, x):
        y = self.block(x).exp()
        y.mul_(2)
        return y


def alone(x):
    y = x.exp()
    y.neg_()
    return y


z = torch.rand(3, requires_grad=True)
w = z.exp()
w += 1
Net()(torch.rand(2, 3)).sum().backward()
w.sum().backward()
"""


@pytest.fixture(autouse=True)
def everything_is_worth_a_word(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(outcomes, "STEPS_WORTH_A_WORD", 0)
    monkeypatch.setattr(engine, "_MEMORY", AnalysisMemory())


def edit(before: str, after: str) -> tuple[list[list[str]], list[str]]:
    """Return what is told early, each time as lines with a finding, and at the end."""
    told: list[Analysis] = []
    engine.analyse_source(before, FILE)
    found = engine.analyse_source(after, FILE, NO_FACTS, early=told.append)
    return [lines_of(after, analysis) for analysis in told], lines_of(after, found)


def lines_of(text: str, analysis: Analysis) -> list[str]:
    return [text.split("\n")[finding.span.row - 1].strip() for finding in analysis.findings]


def test_the_edited_function_first():
    """Its own finding is told at once; that of the caller, whose tensor a helper writes now, when it is judged."""
    text = PROGRAM.replace(
        "        return helper(h)\n", "        g = h.exp()\n        g.neg_()\n        return helper(g)\n"
    )
    early, late = edit(PROGRAM, text)
    assert early == [["g.neg_()", "y.mul_(2)", "y.neg_()", "w += 1"]]
    assert late == early[0]
    text = PROGRAM.replace("    return t + 1\n", "    t += 1\n    return t\n")
    early, late = edit(PROGRAM, text)
    assert early == [["y.mul_(2)", "y.neg_()", "w += 1"]]
    assert late == ["t += 1", *early[0]]


def test_what_others_found_stays_at_its_lines_meanwhile():
    text = PROGRAM.replace("    return t + 1\n", "\n\n\n    return t + 2\n")
    early, late = edit(PROGRAM, text)
    assert early == [late] == [["y.mul_(2)", "y.neg_()", "w += 1"]]


def test_what_others_found_in_lines_that_changed_is_not_told():
    before = PROGRAM.replace("    return t + 1\n", "    t += 1\n    return t\n")
    early, late = edit(before, before.replace("    t += 1\n", "    t = t + 1\n"))
    assert early == [late] == [["y.mul_(2)", "y.neg_()", "w += 1"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("    y.neg_()\n", "    y.abs_()\n"),
        ("import torch\n", "import torch  # again\n"),
        ("w += 1\n", "w += 2\n"),
        (PROGRAM, "\n\n" + PROGRAM),
    ],
)
def test_nothing_is_told_twice(old: str, new: str, monkeypatch: pytest.MonkeyPatch):
    """What nothing depends on, or what is no function, is told with all the rest."""
    monkeypatch.setattr(outcomes, "STEPS_WORTH_A_WORD", 1)
    assert edit(PROGRAM, PROGRAM.replace(old, new))[0] == []


INSERTED = ("\n", " ", "x", "2", "(", "_", "#", "\n\n", "y += 1\n", "h.mul_(2)", "t")


@pytest.mark.parametrize("seed", range(6))
def test_random_edits(seed: int, monkeypatch: pytest.MonkeyPatch):
    """The last word is that of a fresh start."""
    chance = random.Random(seed)
    text, told = PROGRAM, []
    for _ in range(40):
        at = chance.randrange(len(text) + 1)
        cut = chance.randrange(6) if chance.random() < 0.3 else 0
        text = text[:at] + ("" if cut else chance.choice(INSERTED)) + text[at + cut :]
        if chance.random() < 0.3:
            text = PROGRAM
        found = engine.analyse_source(text, FILE, NO_FACTS, early=told.append)
        with monkeypatch.context() as patch:
            patch.setattr(engine, "_MEMORY", AnalysisMemory())
            assert found == engine.analyse_source(text, FILE), text
    assert told
