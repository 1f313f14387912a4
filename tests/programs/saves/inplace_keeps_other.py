"""`a *= b` keeps b, and a clone of a."""

import torch

w = torch.rand(4, requires_grad=True)
a, b = w * 2, w * 3
a *= b
a.add_(1)
a.sum().backward()

a, b = w * 2, w * 3
a *= b
b.add_(1)  # error: IP101
a.sum().backward()
