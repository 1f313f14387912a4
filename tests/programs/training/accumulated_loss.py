"""Losses are summed over batches, backward in the loop: the second one walks freed parts."""

import torch
from torch import nn

net = nn.Linear(3, 1)
total = 0
for _ in range(2):
    total = total + net(torch.rand(2, 3)).square().mean()
    total.backward()  # error: IP103
