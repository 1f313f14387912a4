"""A lambda writes its argument."""

import torch

double = lambda t: t.mul_(2)  # error: IP101
x = torch.rand(3, requires_grad=True)
y = x.sigmoid()
double(y)
y.sum().backward()
