"""Activations in a dict of callables; the chosen one works in place on what the gate kept."""

import torch
import torch.nn as nn
import torch.nn.functional as F

ACTIVATIONS = {
    "relu": F.relu,
    "relu_": F.relu_,
    "silu_": lambda x: F.silu(x, inplace=True),
    "gelu": nn.GELU(),
}


class GLU(nn.Module):
    def __init__(self, dim, act):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.gate = nn.Linear(dim, dim)
        self.act = ACTIVATIONS[act]

    def forward(self, x):
        g = torch.sigmoid(self.gate(x))
        h = self.proj(x) * g
        return h + self.act(g)  # error: IP101


layer = GLU(3, "relu_")
layer(torch.randn(2, 3)).sum().backward()
