"""The imaginary part is a view of the complex tensor, which the product saved."""

import torch

a = torch.randn(4, dtype=torch.cfloat, requires_grad=True)
z = a * 2
p = (z * z.conj()).real.sum()
z.imag.zero_()  # error: IP101
(p + z.real.sum()).backward()
