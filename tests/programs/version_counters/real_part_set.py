"""Nothing has kept the complex tensor whose parts are set."""

import torch

z = torch.randn(3, dtype=torch.complex64, requires_grad=True)
u = z * 2
u.real = torch.ones(3, requires_grad=True) * 2
u.imag = 3.0
u.abs().sum().backward()
