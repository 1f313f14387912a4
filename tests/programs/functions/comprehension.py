"""Writes in a comprehension."""

import torch

x = torch.rand(2, requires_grad=True)
parts = [(x * k).sigmoid() for k in range(1, 3)]
[part.add_(1) for part in parts]  # error: IP101
sum(part.sum() for part in parts).backward()
