"""Hidden states in a buffer: reading it back hurts, only writing does not."""

import torch
from torch import nn

cell = nn.GRUCell(3, 5)
h = torch.zeros(2, 5)
outs = torch.zeros(4, 2, 5)
xs = torch.randn(4, 2, 3)
for t in range(4):
    h = cell(xs[t], h)
    outs[t] = h
outs.sum().backward()

buf = torch.zeros(5, 2, 5)
for t in range(4):
    buf[t + 1] = cell(xs[t], buf[t])  # error: IP101
buf.sum().backward()
