"""A result clamped or normalised through .data: the gradient passes where the clamp would stop it."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = layer(x) * 10
y.data.clamp_(-0.1, 0.1)  # error: IP301
y.sum().backward()

y = (layer(x) * 10).clamp(-0.1, 0.1)
y.sum().backward()

y = layer(x) * 10
y = y + (y.clamp(-0.1, 0.1) - y).detach()
y.sum().backward()
