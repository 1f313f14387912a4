"""A result multiplied through .data before it goes on: the factor is missing from the gradient."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = layer(x)
y.data *= 3  # error: IP301
y.sum().backward()

y = layer(x)
y.data.mul_(3).add_(1)  # error: IP301
(y + 1).sum().backward()

z = layer(x)
z.detach().data.div_(2)  # error: IP301
torch.cat([z, z]).sum().backward()

loss = layer(x).mean()
loss.data *= 0.5  # error: IP301
loss.backward()
