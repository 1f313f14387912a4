"""Operands in different orders: the first decides the order of the result, and so whether its slices overlap."""

import torch

a = torch.randn(4, 3)
b = torch.randn(3, 4)
v = a.t() + b
v[1:] += v[:-1]
w = a * b.t()
w[1:] += w[:-1]  # error: IP205
u = b.t() * 2
u[1:] += u[:-1]
