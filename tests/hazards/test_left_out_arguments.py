"""A write that needs an optional argument: an error if the program gives it or nobody calls, else a warning."""

from __future__ import annotations

import pytest

from inplace_lsp.engine import analyse_source

ATTENTION = """\
import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self):
        super().__init__()
        self.key = nn.Linear(4, 4)

    def forward(self, x, mask=None):
        weights = (self.key(x) @ x.transpose(-1, -2)).softmax(-1)
        if mask is not None:
            weights.masked_fill_(mask, 0.0)
        return weights @ x
"""
TRAIN = """

def train(net, batches):
    for x in batches:
        net({given}).sum().backward()


train(Attention(), [torch.randn(2, 3, 4) for _ in range(2)])
"""


@pytest.mark.parametrize(
    ("given", "severity", "assumptions"),
    [
        ("x", "warning", ("a caller passes `mask`",)),
        ("x, None", "warning", ("a caller passes `mask`",)),
        ("x, mask=x.new_ones(2, 3, 3).bool()", "error", ()),
    ],
)
def test_an_argument_that_the_program_leaves_out_is_assumed(
    given: str, severity: str, assumptions: tuple[str, ...]
) -> None:
    program = ATTENTION + TRAIN.format(given=given)
    if severity == "error":
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            exec(program, {})
    else:
        exec(program, {})
    [finding] = analyse_source(program, "/program.py").findings
    assert (finding.code, finding.severity, finding.assumptions) == ("IP101", severity, assumptions)
    assert ("The program's own calls leave `mask` out." in finding.message) is bool(assumptions)


WITHOUT_PARAMETERS = """\
import torch
from torch import nn


class Normalise(nn.Module):
    def forward(self, scores, mask=None):
        weights = scores.softmax(-1)
        if mask is not None:
            weights.masked_fill_(mask, 0.0)
        return weights


Normalise()(torch.rand(3, 3, requires_grad=True)).sum().backward()
"""


def test_a_finding_that_assumes_more_says_it_too() -> None:
    exec(WITHOUT_PARAMETERS, {})
    [finding] = analyse_source(WITHOUT_PARAMETERS, "/program.py").findings
    assert (finding.code, finding.severity) == ("IP101", "warning")
    assert "a caller passes `mask`" in finding.assumptions
    assert "The program's own calls leave `mask` out." in finding.message


def test_what_nobody_calls_may_be_given_anything() -> None:
    [finding] = analyse_source(ATTENTION, "/program.py").findings
    assert (finding.severity, finding.assumptions) == ("error", ())
