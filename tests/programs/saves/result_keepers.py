"""Ops that keep their result: their input may be written."""

import torch

x = torch.rand(4, requires_grad=True)

a = x * 1
out = a.relu()
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.sigmoid()
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.tanh()
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.sqrt()
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.reciprocal()
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.softmax(-1)
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.log_softmax(-1)
a.add_(1)
out.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.rsqrt()
a.add_(1)
out.mul_(2)  # error: IP101
out.sum().backward()
