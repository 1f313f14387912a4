"""The same code on tensors that need no gradient."""

import torch


def normalise(x):
    y = x.exp()
    y /= y.sum()
    y[0] = 0
    return y


print(normalise(torch.rand(3)))
with torch.no_grad():
    print(normalise(torch.rand(3, requires_grad=True)))
