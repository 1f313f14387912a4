"""A function changes through .data what it returns: whoever walks it ignores the change."""

import torch


def halve(x):
    y = x.sum(0)
    y.data *= 0.5  # error: IP301
    return y


def shift(x):
    y = x.sum(0)
    y.data -= 0.5
    return y


def forget(x):
    y = x.sum(0)
    total = y.sum()
    y.data.zero_()
    return total


x = torch.rand(2, 3, requires_grad=True)
halve(x)
shift(x)
forget(x)
