"""`detach()` shares the version counter: the write is seen."""

import torch

x = torch.rand(3, requires_grad=True)
y = x.exp()
y.detach().zero_()  # error: IP101
y.sum().backward()

y = x.exp()
plain = y.detach().clone()
plain.zero_()
y.sum().backward()
