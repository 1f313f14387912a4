"""Said to be an error, is none: a slice of a clone is scaled by a number."""

import torch


def scaled_tail(x):
    y = x.clone()
    y[1:] *= 2
    return y * 3


def scaled_copy(x):
    y = x.clone()
    y[1:] = y[1:] * 2
    return y * 3


x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
scaled_tail(x).sum().backward()
scaled_copy(x).sum().backward()
print(x.grad)
