"""Names bound by a walrus and by unpacking."""

import torch

x = torch.rand(2, 3, requires_grad=True)
if (y := x.exp()).sum() > 0:
    y += 1  # error: IP101
y.sum().backward()

a, (b, *rest) = x.sin(), [x.cos(), x.tanh()]
rest[0].add_(1)  # error: IP101
(a.sum() + b.sum() + rest[0].sum()).backward()
