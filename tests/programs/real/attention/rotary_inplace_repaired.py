"""The rotated halves are concatenated."""

import torch


def rotate(x, cos, sin):
    d = x.shape[-1] // 2
    x1, x2 = x[..., :d], x[..., d:]
    return torch.cat([x1 * cos - x2 * sin, x2 * cos + x1 * sin], dim=-1)


theta = torch.nn.Parameter(torch.rand(2))
w = torch.nn.Linear(3, 4)
cos, sin = theta.cos(), theta.sin()
rotate(w(torch.randn(2, 5, 3)), cos, sin).sum().backward()
