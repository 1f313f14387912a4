"""The real and the imaginary part of a complex tensor are views of it."""

import torch

w = torch.rand(3, dtype=torch.complex64, requires_grad=True)
h = w * 1
y = h * h
h.imag.mul_(2)  # error: IP101
y.abs().sum().backward()

h = w * 1
y = h * h
h.real.sub_(1)  # error: IP101
y.abs().sum().backward()

h = w * 1
y = h + 1
h.real.zero_()
(y.abs() + h.abs()).sum().backward()
