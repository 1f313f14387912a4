"""A checkpointed block with in-place activations inside, its input left alone."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

block = nn.Sequential(nn.Linear(3, 3), nn.ReLU(inplace=True), nn.Linear(3, 3))
stem = nn.Linear(2, 3)
x = stem(torch.randn(4, 2))
y = checkpoint(block, x, use_reentrant=False)
y += 1
y.relu_()
(x + y).sum().backward()
