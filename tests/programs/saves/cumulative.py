"""cumsum keeps nothing, cumprod input and result."""

import torch

x = torch.rand(4, requires_grad=True)
h = x * 2
out = h.cumsum(0)
h.zero_()
out.zero_()
out.sum().backward()

h = x + 1
out = h.cumprod(0)
out.add_(1)  # error: IP101
out.sum().backward()
