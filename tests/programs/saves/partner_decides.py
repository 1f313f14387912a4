"""A factor is kept only if its partner needs a gradient."""

import torch

w = torch.rand(3, requires_grad=True)
data = torch.rand(3)

product = w * data
data.add_(1)  # error: IP101
product.sum().backward()

data = torch.rand(3)
h = w + 1
product = h * data
h.add_(1)
product.sum().backward()

h = w + 1
other = w + 2
product = h * other
h.add_(1)  # error: IP101
product.sum().backward()

h = w + 1
ratio = data / h
data.add_(1)  # error: IP101
h.add_(1)  # error: IP101
ratio.sum().backward()

h = w + 1
ratio = h / data
h.add_(1)
ratio.sum().backward()
