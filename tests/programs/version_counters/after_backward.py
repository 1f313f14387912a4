"""After a backward that frees its graph everything may be written."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
z = y**2
z.sum().backward()
y.zero_()
z.zero_()
