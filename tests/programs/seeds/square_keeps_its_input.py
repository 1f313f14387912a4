"""square: the result may be written, the input may not."""

import torch

t = torch.arange(3.0, requires_grad=True)
u = 2 * t
squared = u**2
loss = squared.sum()
squared[0] = 5
loss.backward(retain_graph=True)
u[0] = 5  # error: IP101
loss.backward()
