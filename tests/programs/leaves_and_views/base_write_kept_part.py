"""Writing the base of a part that an op has saved raises in backward."""

import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
left, right = y.chunk(2)
product = left * right
y.add_(1)  # error: IP101
product.sum().backward()
