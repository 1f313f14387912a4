"""An optimizer with fused=True does not move the version: a step that comes too early is silently wrong."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1, fused=True)
x = torch.rand(4, 2)
first, second = net(x).sum(), net(x).square().sum()
first.backward()
optimizer.step()  # error: IP301
second.backward()
