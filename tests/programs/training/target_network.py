"""A target network is updated under no_grad between forward and backward of the online one: no one has saved it."""

import torch
from torch import nn

online, target = nn.Linear(2, 2), nn.Linear(2, 2)
x = torch.rand(3, 2)
with torch.no_grad():
    wanted = target(x)
loss = (online(x) - wanted).square().mean()
with torch.no_grad():
    for theirs, ours in zip(target.parameters(), online.parameters()):
        theirs.mul_(0.9).add_(ours, alpha=0.1)
loss.backward()
