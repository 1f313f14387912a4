"""Ops that keep input and result."""

import torch

x = torch.rand(4, requires_grad=True)

a = x * 1
out = a.norm()
a.add_(1)  # error: IP101
out.backward()

a = x * 1
out = a.norm()
out.add_(1)  # error: IP101
out.backward()

a = x * 1
out = a.std()
a.add_(1)  # error: IP101
out.backward()

a = x * 1
out = a.prod()
out.add_(1)  # error: IP101
out.backward()

a = x * 1
out = a.logsumexp(0)
a.add_(1)  # error: IP101
out.backward()

a = x * 1
out = a.cumprod(0)
a.add_(1)  # error: IP101
out.sum().backward()

a = x * 1
out = a.max()
a.add_(1)  # error: IP101
out.backward()
