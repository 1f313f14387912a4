"""Two versions of a method that are equally wrong: the one that the program calls comes first."""

from __future__ import annotations

from inplace_lsp.cli.sources import Sources
from inplace_lsp.config import DEFAULT
from inplace_lsp.facts.models import make_facts
from inplace_lsp.why.answer import explain_errors
from inplace_lsp.why.gather import gather_clues
from inplace_lsp.why.reading import read_errors

LAYER = """\
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, size, norm_first=NORM_FIRST):
        super().__init__()
        self.wide = nn.Linear(size, size)
        self.norm = nn.LayerNorm(size)
        self.act = nn.ReLU()
        self.drop = nn.Dropout(0.1, inplace=True)
        self.norm_first = norm_first

    def norm_after(self, x):
        x = x + self.drop(self.act(self.wide(x)))
        return self.norm(x)

    def norm_before(self, x):
        return x + self.drop(self.act(self.wide(self.norm(x))))

    def forward(self, x):
        if self.norm_first:
            return self.norm_before(x)
        return self.norm_after(x)
"""
ERROR = (
    "RuntimeError: one of the variables needed for gradient computation has been modified by an inplace operation: "
    "[torch.FloatTensor [4, 8]], which is output 0 of ReluBackward0, is at version 1; expected version 0 instead."
)


def _find_first(text: str) -> int:
    clues = gather_clues(text, "/layers.py", make_facts(DEFAULT))
    return explain_errors(read_errors(ERROR), [clues], Sources(())).candidates[0].span.row


def test_the_method_that_is_called_comes_first() -> None:
    assert _find_first(LAYER.replace("NORM_FIRST", "True")) == 19
    assert _find_first(LAYER.replace("NORM_FIRST", "False")) == 15
