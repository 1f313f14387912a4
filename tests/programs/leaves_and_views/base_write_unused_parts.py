"""Writing the base is fine if no part is used afterwards and none was kept."""

import torch

x = torch.rand(4, requires_grad=True)
y = x * 2
left, right = y.chunk(2)
total = left + right
y.zero_()
(total.sum() + y.sum()).backward()
