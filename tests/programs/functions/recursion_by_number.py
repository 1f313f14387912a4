"""A recursion that counts down comes to its end."""

import torch


def power(x, n):
    if n == 0:
        return x.exp()
    y = power(x, n - 1)
    return y * 2


def halve_(x, n):
    if n:
        halve_(x, n - 1)
        return
    x.mul_(0.5)  # error: IP101


w = torch.randn(3, requires_grad=True)
y = power(w, 5)
e = w.exp()
halve_(e, 5)
y.mul_(2)
(y + e).sum().backward()
