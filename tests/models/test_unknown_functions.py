"""Which library functions `check --statistics` names as worth a model."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from cli.commandline import inplace_lsp

START = "import torch\nfrom torch import nn\nx = torch.rand(3, requires_grad=True)\n"


def named(tmp_path: Path, program: str) -> dict[str, int]:
    """The functions that are named for a program, each with its number."""
    (tmp_path / "train.py").write_text(START + dedent(program))
    shown = inplace_lsp("check", "--no-cache", "--statistics", tmp_path).stdout
    below = shown.partition("docs/models.md")[2]
    return {name: int(number) for number, name in re.findall(r"^ +(\d+)  (\S+)$", below, re.MULTILINE)}


@pytest.mark.parametrize(
    ("program", "wanted"),
    [
        ("import mylib.layers as L\ny = L.fuse(x)\n", "mylib.layers.fuse"),
        ("from mylib import layers\ny = layers.fuse(x)\n", "mylib.layers.fuse"),
        ("from mylib.layers import fuse as f\ny = f(x)\n", "mylib.layers.fuse"),
        ("from mylib import Loss\nloss = Loss()\ny = loss(x)\n", "mylib.Loss"),
        ("from mylib import Loss\nloss = Loss()\ny = loss.value(x)\n", "mylib.Loss.value"),
        ("from mylib import make\ny = make('loss').value(x)\n", "mylib.make().value"),
        ("from mylib import Trainer\nt = Trainer(nn.Linear(2, 2))\n", "mylib.Trainer"),
        ("from mylib import wrap\no = wrap(torch.optim.SGD([x], lr=0.1))\n", "mylib.wrap"),
        ("y = torch.nosuch(x)\n", "torch.nosuch"),
    ],
)
def test_names_are_those_of_the_library(tmp_path: Path, program: str, wanted: str):
    assert named(tmp_path, program) == {wanted: 1}


@pytest.mark.parametrize(
    "program",
    [
        "from mylib import log\nlog(x)\n",  # nothing is done with the result
        "from mylib import path\ny = path('a')\n",  # no tensor goes in
        "from . import helpers\ny = helpers.fuse(x)\n",  # the user's own
        "def f(g):\n    return g(x)\n",  # nobody knows whose
    ],
)
def test_what_would_not_pay_is_not_named(tmp_path: Path, program: str):
    assert named(tmp_path, program) == {}


def test_those_come_first_that_most_functions_call(tmp_path: Path):
    program = """\
    from mylib import often, seldom
    def f(): return often(x).add_(1)
    def g(): return often(x).add_(1)
    def h(): return seldom(x).add_(1)
    def i(): return never(x)  # nothing is written there
    """
    assert list(named(tmp_path, program).items()) == [("mylib.often", 2), ("mylib.seldom", 1)]
