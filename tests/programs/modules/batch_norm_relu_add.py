"""The tail of a residual block, in place throughout: fine."""

import torch
import torch.nn.functional as F
from torch import nn


class Tail(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(2, 2, 3, padding=1, bias=False)
        self.norm = nn.BatchNorm2d(2)

    def forward(self, x):
        out = F.relu(self.norm(self.conv(x)), inplace=True)
        out = self.norm(self.conv(out))
        out += x
        return F.relu(out, inplace=True)


Tail()(torch.rand(2, 2, 4, 4, requires_grad=True)).sum().backward()
