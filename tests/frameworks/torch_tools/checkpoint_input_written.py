"""A reentrant `checkpoint` keeps its input for the recomputation, so rectifying that input in place after the call breaks backward."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

stem = nn.Linear(4, 8)
block = nn.Sequential(nn.Linear(8, 8), nn.Tanh(), nn.Linear(8, 8))
head = nn.Linear(8, 1)

hidden = stem(torch.randn(3, 4))
output = checkpoint(block, hidden, use_reentrant=True)
hidden.relu_()  # error: IP101
loss = head(output + hidden).mean()
loss.backward()
