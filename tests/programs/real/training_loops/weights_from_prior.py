"""The weights of the inputs are computed from a parameter once, before the loop."""

import torch
from torch import nn

raw = nn.Parameter(torch.ones(3))
weights = torch.softmax(raw, 0)
net = nn.Linear(3, 1)
opt = torch.optim.SGD([*net.parameters(), raw], lr=0.1)
for _ in range(3):
    x = torch.randn(4, 3)
    loss = net(x * weights).pow(2).mean()
    opt.zero_grad()
    loss.backward()  # error: IP103
    opt.step()
