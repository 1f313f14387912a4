"""split with sizes, vsplit and hsplit."""

import torch

x = torch.rand(4, 4, requires_grad=True)
y = x * 2
a, b = y.split([1, 3])
try:
    b.mul_(2)  # error: IP203
except RuntimeError as error:
    print(error)
top, bottom = torch.vsplit(y, 2)
top.mul_(2)
torch.hsplit(y, 2)[0].add_(1)
y.sum().backward()
