"""A branch is taken only where a gradient is wanted: there the writes are the hazard."""

import torch
from torch import nn


class Blur(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("kernel", torch.rand(3))

    def forward(self, image):
        first = image * self.kernel
        halves = first.exp()
        if first.requires_grad:
            halves *= 2  # error: IP101
        return halves


class Shift(nn.Module):
    def forward(self, image, shift):
        halves = (image * 2).exp()
        if not shift.requires_grad:
            halves += shift  # error: IP101
        return halves


for module, given in ((Blur(), ()), (Shift(), (torch.rand(3),))):
    try:
        module(torch.rand(2, 3, requires_grad=True), *given).sum().backward()
    except RuntimeError as error:
        print(error)
