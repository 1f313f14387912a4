"""Two optimizers on one net, gradients set to zero and to None."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Tanh(), nn.Linear(2, 1))
first = torch.optim.SGD(net[0].parameters(), lr=0.1)
last = torch.optim.Adam(net[2].parameters())
for _ in range(2):
    loss = net(torch.rand(3, 2)).square().mean()
    for optimizer in (first, last):
        optimizer.zero_grad(set_to_none=False)
    loss.backward()
    first.step()
    last.step()
    for p in net.parameters():
        p.grad = None
