"""What a finding says to do without looking for a repair is what a repair then does, or nearly."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source
from inplace_lsp.fixes.offer import best_fix
from inplace_lsp.hazards.remedy import add_advice, describe_help
from inplace_lsp.report.lines import split_lines

FILE = "/program.py"
START = "import torch\nfrom torch import nn\n\nx = torch.rand(4, requires_grad=True)\n"
CASES = {
    "y = x.exp()\ny += 1\ny.sum().backward()": "write out of place: `y = y + 1`; `--fix` repairs it",
    "y = x.exp()\ny *= 2 - x.detach()\ny.sum().backward()": (
        "write out of place: `y = y * (2 - x.detach())`; `--fix` repairs it"
    ),
    "y = x.exp()\ny.clamp_(0, max=1)\ny.sum().backward()": (
        "write out of place: `y = y.clamp(0, max=1)`; `--fix` repairs it"
    ),
    "y = x.exp()\ny[0] = 1\ny.sum().backward()": "write to a copy: `y = y.clone()` before it; `--fix` repairs it",
    "y = x.exp()\nz = y\nz.add_(1)\nprint(y)\nz.sum().backward()": "write out of place: `z = z.add(1)`; ",
    "y = nn.functional.relu(x.exp(), inplace=True)\ny.sum().backward()": "drop `inplace=True`, and use the result",
    "x.add_(1)": "write out of place: `x = x.add(1)`; `--fix --unsafe-fixes` repairs it",
    "x.zero_()": "update parameters inside `with torch.no_grad():`; ",
    "net = nn.Linear(2, 2)\nnet.weight.zero_()": "put it under `with torch.no_grad():`; `--fix` repairs it",
    "(x * x).sum().backward()\nx -= 0.1 * x.grad": "write out of place: `x = x - 0.1 * x.grad`",
    "e = torch.zeros(1).expand(3)\ne.mul_(2)": "write out of place: `e = e.mul(2)`; `--fix` repairs it",
    "o = torch.empty(4)\ntorch.exp(x, out=o)": "write out of place: `o = torch.exp(x)`",
    "loss = x.exp().sum()\nloss.backward()\nloss.backward()": "add the losses and call backward once; ",
}


@pytest.mark.parametrize("text", CASES)
def test_what_is_said_is_what_a_repair_does(text: str) -> None:
    program = START + text + "\n"
    analysis = analyse_source(program, FILE)
    (finding, *_) = analysis.findings
    told = add_advice(finding, {FILE: split_lines(program)})
    assert describe_help(told).startswith(CASES[text])
    found = best_fix(program, finding, analysis)
    if told.fixable == "safe":
        assert found is not None and found.applicability == "safe"
    if told.fixable == "unsafe":
        assert found is not None


def test_a_text_that_is_not_at_hand_gets_the_advice_of_its_code() -> None:
    [finding] = analyse_source(START + "y = x.exp()\ny += 1\ny.sum().backward()\n", FILE).findings
    assert add_advice(finding, {}).advice.startswith("compute a new tensor")
