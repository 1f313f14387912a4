"""A lambda deep inside a call: the write belongs to the statement that it stands in."""

import torch

x = torch.randn(3, requires_grad=True)
ys = [torch.sigmoid(x), torch.tanh(x)]
out = sum(  # error: IP101
    map(
        lambda t: t.mul_(2),
        ys,
    )
)
out.sum().backward()
