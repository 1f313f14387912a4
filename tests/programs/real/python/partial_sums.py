"""Partial sums in place: every one is the first tensor, and a sigmoid needs its own."""

import itertools

import torch
import torch.nn as nn

net = nn.Linear(3, 3)
outs = [net(x).sigmoid() for x in torch.randn(4, 3)]
sums = list(itertools.accumulate(outs, lambda a, b: a.add_(b)))  # error: IP101
torch.stack(sums).sum().backward()
