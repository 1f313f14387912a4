"""`renorm` keeps its input: the norms are computed again in the backward."""

import torch

x = torch.randn(3, 3, requires_grad=True)
h = x * 2
y = h.renorm(2, 0, 1.0)
h.add_(1)  # error: IP101
y.sum().backward()
