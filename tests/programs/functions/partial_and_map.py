"""functools.partial and map call the writer."""

from functools import partial

import torch


def add(amount, t):
    t.add_(amount)  # error: IP101
    return t


x = torch.rand(3, requires_grad=True)
y, z = x.exp(), x.tanh()
partial(add, 1)(y)
list(map(partial(add, 2), [z]))
(y.sum() + z.sum()).backward()
