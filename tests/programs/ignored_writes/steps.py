"""Rounding and the like through .data: the derivative is zero, and the gradient passed round it on purpose."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

y = layer(x)
y.data.round_()
y.sum().backward()

y = layer(x)
y.data.floor_()
y.sum().backward()

y = layer(x)
y.data.sign_()
y.data.gt_(0)
y.sum().backward()

y = layer(x)
y.data.trunc_()
y.data.ceil_()
y.sum().backward()
