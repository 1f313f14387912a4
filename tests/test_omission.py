"""Entries that are not run: nothing that a run of them shows is missed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from inplace_lsp.cancellation import checkpoint
from inplace_lsp.engine import analyse_source
from inplace_lsp.hazards.registry import find_all
from inplace_lsp.interpret.entries.entries import run_function
from inplace_lsp.interpret.entries.entry import Entry, find_entries
from inplace_lsp.interpret.entries.fixtures import ClassFixtures
from inplace_lsp.interpret.entries.outcome import Outcome
from inplace_lsp.interpret.state.facts import NO_FACTS
from inplace_lsp.source.units import read_source

PROGRAMS = sorted((Path(__file__).parent / "programs").rglob("*.py"))
PARTS = 8
HEAD = "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n"


def is_run(text: str, name: str) -> bool:
    """Return whether the analysis runs the function `name` of a program."""
    return next(outcome for entry, outcome in run_all(text) if entry.name == name).runs > 0


def run_all(text: str, *, even_inert: bool = False) -> Iterator[tuple[Entry, Outcome]]:
    """Yield the functions of a program with their outcomes."""
    units = read_source(text).units
    fixtures = ClassFixtures("/program.py", units)
    run = partial(run_function, even_inert=even_inert)
    for entry in find_entries(units):
        yield entry, run(entry, "/program.py", checkpoint, NO_FACTS, fixtures, 1)
    fixtures.release_machine()


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_left_out_shows_no_hazard(part: int) -> None:
    for program in PROGRAMS[part::PARTS]:
        text = program.read_text(encoding="utf-8")
        left_out = {entry.name for entry, outcome in run_all(text) if not outcome.runs and not outcome.delegates}
        if left_out:
            analysis = analyse_source(text, "/program.py")
            known = {(finding.code, finding.span.row) for finding in (*analysis.findings, *analysis.remarks)}
            for entry, outcome in run_all(text, even_inert=True):
                shown = [finding for tape in outcome.tapes for finding in find_all(tape) if entry.name in left_out]
                assert known >= {(finding.code, finding.span.row) for finding in shown}, (program, entry.name)


NEEDS_NO_RUN = {
    "computes": "def f(x, w):\n    y = torch.sigmoid(w @ x)\n    return y * 2\n",
    "counts": "def f(xs):\n    n = 0\n    for x in xs:\n        n += 1\n    return n\n",
    "fills a dict": "def f(x):\n    out = {}\n    out['x'] = x.exp()\n    return out\n",
    "calls a helper": "def g(x):\n    return x.exp()\n\n\ndef f(x):\n    return g(x) + 1\n",
    "makes a net": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.fc = nn.Linear(3, 3)\n\n    def forward(self, x):\n        return torch.exp(self.fc(x))\n\n\n"
    "def f():\n    return Net()\n",
    "hands on": "def make(name, **options):\n    net = nn.Linear(3, 3)\n    net.weight.data.fill_(0)\n    return net\n"
    "\n\n"
    "def f(pretrained=False, **options):\n    return make('large', pretrained=pretrained, **dict(options, depth=3))\n",
}
NEEDS_RUN = {
    "writes": "def f(x):\n    y = x.exp()\n    y.add_(1)\n    return y\n",
    "asks by position": "def f(x):\n    y = x.exp()\n    return F.relu(y, True)\n",
    "asks by a name": "def f(x, inplace):\n    y = x.exp()\n    return F.relu(y, inplace)\n",
    "calls a writer": "def g(x):\n    x.mul_(2)\n\n\ndef f(x):\n    y = x.exp()\n    g(y)\n    return y\n",
    "is given a writer": "def g(x):\n    return x.mul_(2)\n\n\ndef f(x, act=g):\n    return act(x.exp())\n",
    "finds a writer in a table": "def g(x):\n    return x.mul_(2)\n\n\nTABLE = {'g': g}\n\n\n"
    "def f(x, name):\n    return TABLE[name](x.exp())\n",
    "adds tensors up": "def f(xs):\n    total = 0\n    for x in xs:\n        y = torch.sigmoid(total)\n"
    "        total += x * y\n    return total\n",
    "walks": "def f(x):\n    y = x.exp().sum()\n    y.backward()\n    y.backward()\n",
    "fills an array": "def f(x, w):\n    a = x.numpy()\n    y = w * x\n    a.fill(0)\n    return y\n",
    "writes by a name": "def f(x, name):\n    y = x.exp()\n    return getattr(y, name)(2)\n",
    "writes an array by place": "import numpy as np\n\n\ndef f(x, w):\n    a = x.numpy()\n    y = w * x\n"
    "    np.multiply(a, 2, a)\n    return y\n",
    "sets data by name": "def f(x, w):\n    y = x.exp()\n    setattr(y, 'data', w * 2)\n    return y\n",
    "gives its net to a writer": "def init(net):\n    net.weight.fill_(0)\n\n\n"
    "def f():\n    net = nn.Linear(3, 3)\n    init(net)\n    return net\n",
    "chooses by a text": "def make(mode):\n    net = nn.Linear(3, 3)\n    if mode == 'zero':\n"
    "        net.weight.zero_()\n"
    "    return net\n\n\ndef f():\n    return make('zero')\n",
    "has an inherited writer": "class Base(nn.Module):\n    def act(self, x):\n        return x.mul_(2)\n\n\n"
    "class Net(Base):\n    def forward(self, x):\n        return self.act(x.exp())\n",
    "calls super": "class Base(nn.Module):\n    def forward(self, x):\n        return x.mul_(2)\n\n\n"
    "class Net(Base):\n    def forward(self, x):\n        return super().forward(x.exp())\n",
    "has a layer that writes": "class Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n"
    "        self.act = nn.Sequential(nn.ReLU(inplace=True))\n\n    def forward(self, x):\n"
    "        return self.act(x.exp())\n",
    "may have a layer that writes": "class Net(nn.Module):\n    def __init__(self, fast=False):\n"
    "        super().__init__()\n        self.act = nn.Sigmoid()\n        if fast:\n"
    "            self.act = nn.ReLU(inplace=True)\n\n    def forward(self, x):\n        return self.act(x.exp())\n",
    "has a hook that writes": "def hook(module, args, out):\n    out.mul_(2)\n\n\nclass Net(nn.Module):\n"
    "    def __init__(self):\n        super().__init__()\n        self.act = nn.Sigmoid()\n"
    "        self.act.register_forward_hook(hook)\n\n    def forward(self, x):\n        return self.act(x)\n",
}


@pytest.mark.parametrize("text", NEEDS_NO_RUN.values(), ids=NEEDS_NO_RUN)
def test_a_function_that_neither_writes_nor_walks_is_not_run(text: str) -> None:
    assert not is_run(HEAD + text, "f")


@pytest.mark.parametrize("text", NEEDS_RUN.values(), ids=NEEDS_RUN)
def test_a_function_that_may_write_or_walk_is_run(text: str) -> None:
    assert is_run(HEAD + text, "Net.forward" if "class Net" in text else "f")


CONSTRUCTOR = """
def clear(layer):
    layer.weight.zero_()


class Net(nn.Module):
    def __init__(self, width=8, zero=False, deep=()):
        super().__init__()
        self.fc = nn.Linear(width, width)
        at = 0
        for size in deep:
            at += size
            self.fc = nn.Linear(at, at)
        if zero:
            {write}
        nn.init.ones_(self.fc.bias)

    def forward(self, x):
        return self.fc(x)
"""


@pytest.mark.parametrize("write", ["self.fc.weight.zero_()", "self.fc.weight[0] = 0", "clear(self.fc)"])
def test_a_write_behind_an_odd_option_of_a_constructor_is_found(write: str) -> None:
    found = analyse_source(HEAD + CONSTRUCTOR.format(write=write), "/program.py").findings
    assert {finding.code for finding in found} & {"IP201", "IP202"}


@pytest.mark.parametrize("harmless", ["nn.init.zeros_(self.fc.weight)", "width += 1", "self.width = width"])
def test_a_constructor_that_only_makes_parts_is_run_once(harmless: str) -> None:
    outcomes = {entry.name: outcome for entry, outcome in run_all(HEAD + CONSTRUCTOR.format(write=harmless))}
    assert outcomes["Net.__init__"].runs == 1


HANDED_ON = """
def scale(x, factor):
    y = x.exp()
    y.mul_(factor)
    return y


@torch.no_grad()
def show(x):
    return scale(x, 3)
"""


def test_who_hands_on_to_a_function_with_findings_is_run() -> None:
    found = analyse_source(HEAD + HANDED_ON, "/program.py").findings
    assert [finding.severity for finding in found] == ["hint"]
