"""A decorated function makes the view."""

import torch


@torch.no_grad()
def column(t):
    return t[:, 0]


x = torch.rand(3, 2, requires_grad=True)
y = x * 2
first = column(y)
first.zero_()  # error: IP204
