"""A patched `forward` that is put back or deleted is gone; one that stays is what a call runs."""

import torch
from torch import nn


def patch(module):
    inside = module.forward
    module.forward = lambda x: inside(x.mul_(2))  # error: IP101
    return inside


net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
kept = patch(net[2])
net[2].forward = kept
net(torch.randn(2, 3)).sum().backward()
patch(net[2])
del net[2].forward
net(torch.randn(2, 3)).sum().backward()
patch(net[2])
net(torch.randn(2, 3)).sum().backward()
