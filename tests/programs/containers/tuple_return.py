"""Several tensors are returned in a tuple."""

import torch


def both(x):
    y = x.exp()
    z = y * 2
    z.add_(1)
    return y, z


x = torch.rand(3, requires_grad=True)
y, z = both(x)
z.mul_(3)
loss = y.sum() + z.sum()
y.add_(1)  # error: IP101
loss.backward()
