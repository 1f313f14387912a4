"""Submodules are exchanged by name and by index: what counts is what is there at the call."""

import torch
from torch import nn


def net():
    return nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.ReLU(inplace=True), nn.Linear(4, 1))


fine = net()
for name, child in fine.named_children():
    if isinstance(child, nn.ReLU):
        setattr(fine, name, nn.ReLU(inplace=False))
fine(torch.randn(2, 3)).sum().backward()

fine = net()
fine[2] = nn.Identity()
fine(torch.randn(2, 3)).sum().backward()

bad = net()
bad(torch.randn(2, 3)).sum().backward()  # error: IP101
