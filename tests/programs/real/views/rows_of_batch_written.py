"""Each sample of a batch is scaled in a loop over the batch."""

import torch
from torch import nn

conv = nn.Conv1d(1, 2, 3)
batch = conv(torch.randn(3, 1, 8))
for sample in batch:
    sample *= 2.0  # error: IP203
out = batch
out.mean().backward()
