import copy
from typing import NamedTuple

import torch


class Output(NamedTuple):
    logits: torch.Tensor
    probs: torch.Tensor

    def sharpen(self):
        return self.probs.pow_(2)  # error: IP101


def run(change):
    logits = torch.randn(2, 3, requires_grad=True) * 2
    out = change(Output(logits, logits.softmax(-1)))
    out.sharpen().sum().backward()


run(copy.copy)
run(lambda out: out._replace(logits=out.logits + 1))
