"""Where the branch binds a new tensor nothing is written."""

import torch


def forward(x, clip):
    y = x.sigmoid()
    if clip:
        y = y.clamp(0.2, 0.8)
        y = y.clone()
        y.mul_(2)
    return y


forward(torch.rand(3, requires_grad=True), True).sum().backward()
