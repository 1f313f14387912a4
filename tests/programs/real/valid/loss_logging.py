"""Losses are detached, summed in place and averaged for the log."""

from collections import defaultdict

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
opt = torch.optim.Adam(net.parameters())
log = defaultdict(float)
ema = torch.zeros(())
for step in range(3):
    out = net(torch.randn(5, 3))
    losses = {"mse": out.pow(2).mean(), "l1": out.abs().mean()}
    total = sum(losses.values())
    opt.zero_grad()
    total.backward()
    opt.step()
    for name, value in losses.items():
        log[name] += value.item()
    ema.mul_(0.9).add_(total.detach(), alpha=0.1)
print({k: v / 3 for k, v in log.items()}, ema)
