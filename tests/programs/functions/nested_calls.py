"""The write lies three calls deep."""

import torch


def inner(t):
    t.clamp_(min=0.5)  # error: IP101


def middle(t):
    inner(t)
    return t


def outer(t):
    return middle(t) * 2


x = torch.rand(3, requires_grad=True)
y = torch.sigmoid(x)
outer(y).sum().backward()
