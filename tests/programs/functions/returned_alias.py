"""A function returns a view of its argument, the caller writes it."""

import torch


def first_row(t):
    return t[0]


x = torch.rand(2, 3, requires_grad=True)
y = x.exp()
row = first_row(y)
row.add_(1)  # error: IP101
y.sum().backward()
