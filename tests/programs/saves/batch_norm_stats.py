"""Resetting the running statistics between forward and backward raises; the layer's own update does not."""

import torch
from torch import nn

norm = nn.BatchNorm1d(3)
x = torch.rand(4, 3, requires_grad=True)
norm(x).sum().backward()
norm.reset_running_stats()
out = norm(x)
norm.reset_running_stats()  # error: IP102
out.sum().backward()
