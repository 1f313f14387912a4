"""A conditional expression chooses the tensor that is written."""

import torch

x = torch.rand(3, requires_grad=True)
y, z = x.exp(), torch.zeros(3)
flag = True
target = y if flag else z
target.add_(1)  # error: IP101
y.sum().backward()

y = x.exp()
target = z if flag else y
target.add_(1)
y.sum().backward()
