"""A tensor in a dataclass."""

from dataclasses import dataclass

import torch


@dataclass
class State:
    hidden: torch.Tensor
    count: int = 0


w = torch.rand(3, requires_grad=True)
state = State(torch.ones(3))
loss = (w * state.hidden).sum()
state.hidden += 1  # error: IP101
state.count += 1
loss.backward()
