"""The same helper where nobody has saved its argument."""

import torch


def shift(t):
    t.add_(1)


def work(x):
    y = x * 2
    shift(y)
    return y.exp()


work(torch.rand(3, requires_grad=True)).sum().backward()
