"""Two heads of one trunk have a loss each, and the first backward frees the trunk's graph."""

import torch
from torch import nn

trunk = nn.Sequential(nn.Linear(3, 4), nn.Tanh())
left, right = nn.Linear(4, 1), nn.Linear(4, 1)
opt = torch.optim.SGD([*trunk.parameters(), *left.parameters(), *right.parameters()], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    hidden = trunk(torch.randn(4, 3))
    loss_left = left(hidden).pow(2).mean()
    loss_right = right(hidden).abs().mean()
    loss_left.backward()
    loss_right.backward()  # error: IP103
    opt.step()
