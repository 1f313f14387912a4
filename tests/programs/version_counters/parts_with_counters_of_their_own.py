"""The parts that `unsafe_split` and `unsafe_chunk` make share memory with each other and no version counter."""

import torch

x = torch.rand(4, 3, requires_grad=True)

h = x.exp()
a, b = h.unsafe_split(2)
a.mul_(2)  # error: IP301
h.sum().backward()

h = x.exp()
a, b = torch.unsafe_chunk(h, 2)
b.zero_()  # error: IP301
a.sum().backward()

a, b = torch.unsafe_chunk(x * 2, 2)
a.mul_(2)
(a.sum() + b.sum()).backward()

a, b = torch.unsafe_chunk(x * 2, 2)
s = a.sin()
a.mul_(2)  # error: IP101
s.sum().backward()
