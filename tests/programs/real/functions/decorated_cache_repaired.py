"""The user copies it."""

import functools

import torch

scale = torch.nn.Parameter(torch.ones(4))


@functools.lru_cache(maxsize=None)
def grid(n):
    return torch.linspace(0, 1, n)


def shifted(n, by):
    g = grid(n)
    g = g + by
    return scale * g


loss = (shifted(4, 0.1) - shifted(4, 0.2)).pow(2).sum()
loss.backward()
