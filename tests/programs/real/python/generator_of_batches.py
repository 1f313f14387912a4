"""A generator yields views of one buffer that it refills while the loss of the last batch waits."""

import torch
from torch import nn


def batches(n, size):
    buffer = torch.empty(size, 3)
    for _ in range(n):
        buffer.normal_()  # error: IP101
        yield buffer


net = nn.Linear(3, 1)
losses = []
for x in batches(3, 4):
    losses.append(net(x).pow(2).mean())
sum(losses).backward()
