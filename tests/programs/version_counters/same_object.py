"""Functions that return the very object when nothing changes."""

import torch

x = torch.rand(2, 3, requires_grad=True)
y = x.exp()
same = y.contiguous().to(torch.float32).float().cpu()
same.mul_(2)  # error: IP101
y.sum().backward()

y = x.exp()
other = y.double()
other.mul_(2)
y.sum().backward()
