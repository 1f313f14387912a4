"""Every partial sum is a tensor of its own."""

import itertools

import torch
import torch.nn as nn

net = nn.Linear(3, 3)
outs = [net(x).sigmoid() for x in torch.randn(4, 3)]
sums = list(itertools.accumulate(outs, lambda a, b: a.add(b)))
torch.stack(sums).sum().backward()
