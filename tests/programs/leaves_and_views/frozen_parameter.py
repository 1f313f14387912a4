"""A frozen parameter is an ordinary tensor."""

import torch
from torch import nn

layer = nn.Linear(2, 2)
layer.weight.requires_grad_(False)
layer.weight.mul_(2)
layer.bias.add_(1)  # error: IP201
