"""`set_` gives a tensor other memory: that of the source, under its own counter."""

import torch

x = torch.rand(4, requires_grad=True)

source = torch.ones(4)
t = torch.empty(0)
t.set_(source)
y = x * t
source.mul_(2)  # error: IP301
y.sum().backward()

y = x.sin()
x.data.set_(torch.zeros(4))
y.sum().backward()
