"""Writes through index and mask into tensors that nobody keeps, with values that carry a graph."""

import torch
from torch import nn

net = nn.Linear(4, 3)
out = net(torch.randn(5, 4))
sorted_out, order = out.sort(dim=1)
sorted_out[:, 0] = 0
picked = torch.zeros(5)
picked[torch.arange(5)] = out[torch.arange(5), order[:, -1]]
full = torch.full((5, 3), -1.0)
full.scatter_(1, order, out)
full[full > 2] = 2.0
(picked.sum() + full.sum() + sorted_out.sum()).backward()
