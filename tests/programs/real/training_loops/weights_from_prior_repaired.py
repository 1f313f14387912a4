"""The weights are computed in every round."""

import torch
from torch import nn

raw = nn.Parameter(torch.ones(3))
net = nn.Linear(3, 1)
opt = torch.optim.SGD([*net.parameters(), raw], lr=0.1)
for _ in range(3):
    weights = torch.softmax(raw, 0)
    x = torch.randn(4, 3)
    loss = net(x * weights).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
