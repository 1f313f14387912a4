"""The write comes after an early return."""

import torch


def forward(x, training):
    y = x.exp()
    if training:
        return y
    y.zero_()
    return y


forward(torch.rand(3, requires_grad=True), True).sum().backward()
