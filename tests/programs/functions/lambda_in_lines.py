"""A lambda inside a statement of several lines: the write belongs to the statement."""

import torch

x = torch.randn(3, requires_grad=True)
y = torch.sigmoid(x)
f = dict(  # error: IP101
    a=lambda t: t,
    b=lambda t: t.mul_(2),
)
f["b"](y)
y.sum().backward()
