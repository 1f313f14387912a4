"""The error is caught; it is one nevertheless."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.add_(1)  # error: IP101
try:
    y.sum().backward()
except RuntimeError as error:
    print("caught", error)
