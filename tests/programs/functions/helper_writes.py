"""The write stands in a helper: the line is the helper's."""

import torch


def shift(t):
    t.add_(1)  # error: IP101


def work(x):
    y = x.exp()
    shift(y)
    return y


work(torch.rand(3, requires_grad=True)).sum().backward()
