"""A hook writes what the op before still needs, round the version counter."""

import torch

x = torch.randn(3, requires_grad=True)
y = torch.sigmoid(x)
y.register_hook(lambda g: y.data.mul_(0.5))  # error: IP301
h = y * 3
h.mean().backward()
