"""The written tensor comes by keyword."""

import torch


def scale(t, by=2.0, *, into=None):
    target = t if into is None else into
    target.mul_(by)  # error: IP101
    return t


x = torch.rand(3, requires_grad=True)
y = x.exp()
scale(torch.rand(3), into=y)
y.sum().backward()
