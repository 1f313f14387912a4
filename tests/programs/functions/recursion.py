"""A recursive function with a write on the way back."""

import torch


def power(x, n):
    if n == 0:
        return x * 1
    y = power(x, n - 1).exp()
    y.clamp_(max=2)  # error: IP101
    return y


power(torch.rand(2, requires_grad=True), 2).sum().backward()
