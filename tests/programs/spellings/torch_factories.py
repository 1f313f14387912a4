"""Factories say by keyword what they say by place: extents, element types, whether a gradient is needed."""

import torch


def leaf_written(x):
    w = torch.zeros(size=(3,), requires_grad=True)
    try:
        w.add_(x)  # error: IP201
    except RuntimeError:
        pass
    return w * x


def counted(x):
    y = x.sigmoid()
    mask = torch.ones(size=(3,), dtype=torch.bool)
    y[mask].mul_(2)
    index = torch.arange(start=0, end=2)
    y[index].mul_(2)
    return y


def filled(x):
    w = torch.full(size=(1, 3), fill_value=2.0, dtype=torch.float32)
    y = x * w
    w.fill_(1)  # error: IP101
    return y


x = torch.rand(3, requires_grad=True)
for function in (leaf_written, counted, filled):
    try:
        function(x).sum().backward()
    except RuntimeError:
        pass
