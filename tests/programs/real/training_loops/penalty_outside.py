"""A penalty on the weights is computed before both loops, and every batch takes a step."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
penalty = sum(p.pow(2).sum() for p in net.parameters())
for _ in range(2):
    for _ in range(4):
        opt.zero_grad()
        loss = net(torch.randn(8, 3)).pow(2).mean() + 0.01 * penalty
        loss.backward(retain_graph=True)
        opt.step()  # error: IP102
