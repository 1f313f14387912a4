"""The penalty is computed for every batch."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    for _ in range(4):
        penalty = sum(p.pow(2).sum() for p in net.parameters())
        opt.zero_grad()
        loss = net(torch.randn(8, 3)).pow(2).mean() + 0.01 * penalty
        loss.backward(retain_graph=True)
        opt.step()
