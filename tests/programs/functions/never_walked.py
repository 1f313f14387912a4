"""A function that never calls backward is judged for what it returns."""

import torch


def activation(x):
    y = x.sigmoid()
    y *= 2  # error: IP101
    return y


def harmless(x):
    y = x.sigmoid() * 2
    y += 1
    return y


activation(torch.rand(3, requires_grad=True))
harmless(torch.rand(3, requires_grad=True))
