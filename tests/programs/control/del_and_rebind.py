"""Names come and go, the tensor stays."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
z = y
del y
z.add_(1)  # error: IP101
z.sum().backward()
