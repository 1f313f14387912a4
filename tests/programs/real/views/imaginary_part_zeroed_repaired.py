"""Only the real part is used."""

import torch

a = torch.randn(4, dtype=torch.cfloat, requires_grad=True)
z = a * 2
p = (z * z.conj()).real.sum()
(p + z.real.sum()).backward()
