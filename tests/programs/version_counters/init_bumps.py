"""Initialisation writes the weight; after the forward pass that is too late."""

import torch
from torch import nn

layer = nn.Linear(3, 3)
nn.init.zeros_(layer.weight)
x = torch.rand(2, 3, requires_grad=True)
out = layer(x)
nn.init.ones_(layer.weight)  # error: IP101
out.sum().backward()
