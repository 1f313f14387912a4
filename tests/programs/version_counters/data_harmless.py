"""Writes through `.data` to what nobody saved, or that change nothing."""

import torch

x = torch.rand(3, requires_grad=True)
y = x + 1
y.data.add_(2)
y.sum().backward()

weight = torch.nn.Parameter(torch.rand(3))
(weight * 2).sum().backward()
weight.data -= 0.1 * weight.grad
weight.data.clamp_(0, 1)
