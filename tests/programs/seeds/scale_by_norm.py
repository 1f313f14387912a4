"""Dividing by the norm as a number."""

import torch
from torch import nn


class Scale(nn.Module):
    def __init__(self, factor):
        super().__init__()
        self.factor = factor

    def forward(self, x):
        length = torch.norm(x)
        return x * self.factor / length.data


x = torch.randn(6, requires_grad=True)
Scale(2.0)(x).sum().backward()
