from dataclasses import dataclass, replace

import torch
from torch import nn


@dataclass
class State:
    h: torch.Tensor
    energy: torch.Tensor


class Step(nn.Module):
    def __init__(self, d=3):
        super().__init__()
        self.f = nn.Linear(d, d)

    def forward(self, s):
        h = torch.tanh(self.f(s.h))
        s.energy += h.pow(2).sum()
        s.h = h
        return replace(s, h=s.h * 0.9)


step = Step()
s = State(torch.randn(2, 3), torch.zeros(()))
for _ in range(2):
    s = step(s)
(s.h.sum() + s.energy).backward()
