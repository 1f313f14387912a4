"""exp: the input may be written, the result may not."""

import torch

t = torch.arange(3.0, requires_grad=True)
u = 2 * t
grown = u.exp()
loss = grown.sum()
u[0] = 5
loss.backward(retain_graph=True)
grown[0] = 5  # error: IP101
loss.backward()
