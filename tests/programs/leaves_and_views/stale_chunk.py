"""Writing the base makes the parts unusable: at their next use."""

import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
left, right = y.chunk(2)
total = left + right
y.zero_()  # error: IP203
(total + left).sum().backward()
