"""A loss is kept for the report: as a number or with its graph."""

import torch
from torch import nn

net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
history, total = [], 0.0
for _ in range(3):
    loss = net(torch.rand(3, 2)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    history.append(loss)
    total += loss.item()
print(sum(history), total)
