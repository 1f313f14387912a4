"""An assignment to the imaginary part is a write that counts."""

import torch

z = torch.randn(3, dtype=torch.complex64, requires_grad=True)
u = z * 2
e = u.exp()
e.imag = torch.zeros(3)  # error: IP101
e.abs().sum().backward()
