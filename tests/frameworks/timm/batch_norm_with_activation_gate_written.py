"""timm's norm with an activation: the gate after its sigmoid is written, what its ReLU gives may be."""

import torch
from timm.layers import BatchNormAct2d
from torch import nn


class Gated(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.inside = nn.Conv2d(width, width, 1)
        self.norm = BatchNormAct2d(width)
        self.gate = BatchNormAct2d(width, act_layer=nn.Sigmoid, inplace=None)

    def forward(self, x):
        value = self.norm(self.inside(x))
        gate = self.gate(x)
        gate.clamp_(min=0.1)  # error: IP101
        return value + gate


Gated(3)(torch.randn(2, 3, 4, 4)).mean().backward()
