"""The reentrant checkpoint keeps its inputs too."""

import torch
from torch.utils.checkpoint import checkpoint

x = torch.rand(3, requires_grad=True)
h = x * 2
out = checkpoint(torch.sin, h, use_reentrant=True)
h.add_(1)  # error: IP101
out.sum().backward()
