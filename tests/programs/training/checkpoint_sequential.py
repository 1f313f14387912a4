"""A checkpoint of several layers keeps its input; the layers after the last one are run plainly."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint_sequential

net = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid(), nn.Linear(3, 3), nn.Tanh())
x = torch.randn(2, 3, requires_grad=True)
h = x * 2
y = checkpoint_sequential(net, 2, h, use_reentrant=False)
h.add_(1)  # error: IP101
y.mul_(2)  # error: IP101
y.sum().backward()
