"""Parameters are replaced under names that are not known before the program runs."""

import os

import torch
from torch import nn


def scale(layer, names):
    for name in names:
        layer._parameters[name] = nn.Parameter(layer._parameters[name].detach() * 2)


layer = nn.Linear(2, 2)
scale(layer, os.environ.get("LAYERS", "weight bias").split())
y = torch.sigmoid(layer(torch.randn(3, 2)))
y.mul_(layer.in_features)  # error: IP101
y.sum().backward()
