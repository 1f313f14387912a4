"""A mask expanded over the heads is filled in place."""

import torch

base = torch.zeros(1, 5, 5)
mask = base.expand(4, 5, 5)
mask[:, :, 3:] = float("-inf")  # error: IP205
scores = torch.randn(4, 5, 5, requires_grad=True)
attn = torch.softmax(scores + mask, dim=-1)
attn.sum().backward()
