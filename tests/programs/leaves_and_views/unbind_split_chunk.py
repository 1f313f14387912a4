"""Outputs of ops that return several views may not be written while a gradient is recorded."""

import torch

x = torch.rand(4, 2, requires_grad=True)


def by_unbind(y):
    first = y.unbind()[0]
    first.zero_()  # error: IP203


def by_split(y):
    first, _ = y.split(2)
    first += 1  # error: IP203


def by_chunk(y):
    for part in y.chunk(2):
        part[0] = 1  # error: IP203


def by_unpacking(y):
    a, b, c, d = y
    a.add_(1)  # error: IP203


def by_iteration(y):
    for row in y:
        row *= 2  # error: IP203


for write in (by_unbind, by_split, by_chunk, by_unpacking, by_iteration):
    try:
        write(x * 2)
    except RuntimeError as error:
        print(error)
