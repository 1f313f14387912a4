"""The input of a checkpointed part is checked."""

import torch
from torch.utils.checkpoint import checkpoint

x = torch.rand(3, requires_grad=True)
h = x * 2
out = checkpoint(lambda t: t.sin().exp(), h, use_reentrant=False)
out.sum().backward()

h = x * 2
out = checkpoint(lambda t: t.sin().exp(), h, use_reentrant=False)
h.add_(1)  # error: IP101
out.sum().backward()
