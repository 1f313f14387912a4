"""`.data =` with a graph over memory that a graph has saved."""

import torch

x = torch.rand(3, requires_grad=True)
loss = (x**2).sum()
x.data = x * 0.5  # error: IP301, IP302
loss.backward()
