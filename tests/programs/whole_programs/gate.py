"""A gate multiplied in place."""

import torch
import torch.nn as nn


class Gate(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.a = nn.Linear(d, d)
        self.b = nn.Linear(d, d)

    def forward(self, x):
        g = torch.sigmoid(self.a(x))
        h = torch.tanh(self.b(x))
        g *= h  # error: IP101
        x = x + g
        return x


m = Gate(4)
out = m(torch.randn(3, 4))
out.pow(2).mean().backward()
