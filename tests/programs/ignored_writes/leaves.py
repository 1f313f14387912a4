"""Weights initialised and updated through .data: leaves, and views of leaves."""

import torch

layer = torch.nn.Linear(3, 3)
x = torch.rand(2, 3)

layer.weight.data.mul_(0.5)
layer.weight.data[0] = 0.0
layer.weight[1].data.mul_(2)
for row in layer.weight:
    row.data.clamp_(-1, 1)
layer.bias.data.zero_()
layer(x).sum().backward()
for parameter in layer.parameters():
    parameter.data -= 0.1 * parameter.grad
    parameter.data.clamp_(-1, 1)
layer(x).sum().backward()

delta = torch.zeros(3, requires_grad=True)
layer(x + delta).sum().backward()
delta.data = (delta + 0.1 * delta.grad.sign()).clamp(-1, 1).detach()
delta.data.clamp_(-0.5, 0.5)
layer(x + delta).sum().backward()
