"""`.data =` swaps what a saved leaf holds; a saved result keeps its old memory."""

import torch

w = torch.rand(3, requires_grad=True)
loss = (w**2).sum()
w.data = torch.ones(3)  # error: IP301
loss.backward()

w = torch.rand(3, requires_grad=True)
y = w.exp()
y.data = torch.ones(3)
y.sum().backward()
