"""A Sequential with in-place activations: after gelu it is fine, after sigmoid it is not."""

import torch
from torch import nn

fine = nn.Sequential(nn.Linear(3, 3), nn.GELU(), nn.ReLU(inplace=True), nn.Linear(3, 1))
fine(torch.rand(2, 3)).sum().backward()

broken = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid(), nn.ReLU(inplace=True), nn.Linear(3, 1))
out = broken(torch.rand(2, 3))  # error: IP101
out.sum().backward()
