"""A linear layer keeps a copy of a batch whose rows do not lie one after the other, and the batch itself if they do."""

import torch
from torch import nn

layer = nn.Linear(4, 3)
x = torch.randn(6, 2, 4, requires_grad=True)
mixed, plain = (x * 2).transpose(0, 1), x * 3
out = layer(mixed).sum() + layer(plain).sum()
mixed += 1
plain += 1  # error: IP101
out.backward()
