"""Multiplication by a number: both may be written."""

import torch

t = torch.arange(3.0, requires_grad=True)
u = 2 * t
tenfold = 10 * u
loss = tenfold.sum()
u[0] = 5
loss.backward(retain_graph=True)
tenfold[0] = 5
loss.backward()
