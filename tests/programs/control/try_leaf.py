"""Each of several refused writes is reported."""

import torch

x = torch.rand(3, requires_grad=True)
try:
    x.add_(1)  # error: IP201
except RuntimeError:
    x = x.clone()
    x.add_(1)
x.sum().backward()
