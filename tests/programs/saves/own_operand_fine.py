"""Augmented assignments whose operand keeps nothing of what is overwritten."""

import torch

w = torch.rand(4, requires_grad=True)

x = w * 2
x /= x.sum()
x.sum().backward()

x = w * 2
x *= x.sigmoid()
x.sum().backward()

x = w * 2
x -= x.mean()
x.sum().backward()

h = w * 2
h += h.relu()
h.sum().backward()

x = w * 2
x.mul_(3).add_(1).div_(2)
x.sum().backward()
