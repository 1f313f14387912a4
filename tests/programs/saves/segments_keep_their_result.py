"""A reduction of segments keeps its result to find what was the largest."""

import torch

data = torch.randn(6, requires_grad=True)
y = torch.segment_reduce(data, "max", lengths=torch.tensor([2, 4]))
y.add_(1)  # error: IP101
y.sum().backward()
