"""Each pass of an inner loop may set the flag that leaves the outer one; nothing behind it writes what is saved."""

import torch
from torch import nn


def train(loader, size):
    net = nn.Sequential(nn.Linear(4, 4), nn.ReLU(), nn.Linear(4, 4))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for batch in loader:
        is_short = False
        for part in batch:
            if part.size(0) < size:
                is_short = True
        if is_short:
            break
        loss = net(batch[0]).sigmoid()
        loss = loss + 1
        optimizer.zero_grad()
        loss.mean().backward()
        optimizer.step()


train([[torch.rand(2, 4), torch.rand(2, 4)]], 2)
