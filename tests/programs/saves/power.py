"""`x ** n` keeps its input, for every n; a number to a tensor keeps exponent and result."""

import torch

x = torch.rand(3, requires_grad=True)
h = x * 2
out = h**1
h.add_(1)  # error: IP101
out.sum().backward()

h = x * 2
out = h**3
out.add_(1)
out.sum().backward()

h = x * 2
out = 2**h
out.add_(1)  # error: IP101
out.sum().backward()

h, e = x * 2, x + 1
out = h**e
e.add_(1)  # error: IP101
out.sum().backward()
