"""`.data` of a view reaches the base."""

import torch

x = torch.rand(2, 3, requires_grad=True)
y = x.exp()
y[0].data.zero_()  # error: IP301
y.sum().backward()

y = x.exp()
y.data[1] += 5  # error: IP301
y.sum().backward()
