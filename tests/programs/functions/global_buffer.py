"""A module-level buffer is updated inside a function."""

import torch

scale = torch.ones(3)


def step(x):
    out = x * scale
    scale.mul_(1.1)  # error: IP101
    return out


step(torch.rand(3, requires_grad=True)).sum().backward()
