"""Inference tensors cloned, or only added, are fine in training."""

import torch
from torch import nn

with torch.inference_mode():
    bias = torch.ones(3)
    table = torch.randn(3, 3)
    table[0] = 0
    table.mul_(2)
w = nn.Parameter(torch.randn(3))
loss = (w + bias).sum() + (w * table.clone()).sum()
loss.backward()
