"""A preallocated tensor is filled by slices, then used once."""

import torch
from torch import nn

parts = nn.ModuleList([nn.Linear(2, 2) for _ in range(3)])
x = torch.randn(4, 2)
joined = torch.empty(4, 6)
for i, part in enumerate(parts):
    joined[:, 2 * i : 2 * i + 2] = part(x)
out = joined.tanh()
out.sum().backward()
grid = torch.zeros(2, 2, 3)
rows = torch.randn(2, 3, requires_grad=True)
grid[0, 0], grid[1, 1] = rows[0] * 2, rows.mean(0)
grid.view(-1)[0] = 5
grid.pow(2).sum().backward()
