"""Masks and weights are written in place before use; a per-sample loss is weighted in place after the reduction kept nothing."""

import torch
import torch.nn.functional as F
from torch import nn

net = nn.Linear(4, 3)
x, y = torch.randn(6, 4), torch.randint(0, 3, (6,))
weights = torch.ones(6)
weights[y == 0] = 0.5
weights /= weights.sum()
per_sample = F.cross_entropy(net(x), y, reduction="none")
per_sample *= weights
per_sample[0] = 0
loss = per_sample.sum()
loss.backward()
