"""Gradients are accumulated, each graph is walked once."""

import torch
from torch import nn

net = nn.Linear(3, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for step in range(4):
    loss = net(torch.rand(2, 3)).square().mean() / 2
    loss.backward()
    if step % 2:
        optimizer.step()
        optimizer.zero_grad()
