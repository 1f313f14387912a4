"""A constant added through .data: the derivative is the identity, and the gradient right without it."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = layer(x)
y.data += 3
y.data -= x
y.data.add_(x, alpha=2)
y.data.addcmul_(x, x)
y.data[:, 0] += 1
y[0].data.sub_(0.5)
y.data.remainder_(1.0)
y.sum().backward()

y = layer(x)
y.data[:, 1] = y.data[:, 1] - 0.5
y.data[0] = y.data[0].add(3)
y.sum().backward()

y = layer(x)
y.data[:, 1] = y.data[:, 0] - 0.5  # error: IP301
y.data[:, 2] = (y.data[:, 2] - 0.5) / 2  # error: IP301
y.sum().backward()
