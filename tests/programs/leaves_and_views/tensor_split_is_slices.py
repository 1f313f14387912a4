"""tensor_split returns single slices: they may be written."""

import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
left, right = y.tensor_split(2)
left += 1
right.mul_(2)
y.sum().backward()
