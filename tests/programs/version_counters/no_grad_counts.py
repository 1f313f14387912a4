"""Writes under no_grad move the version."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.sigmoid()
with torch.no_grad():
    y.clamp_(0.1, 0.9)  # error: IP101
y.sum().backward()
