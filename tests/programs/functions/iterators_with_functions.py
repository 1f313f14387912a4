"""The iterators of itertools that call a function, and those that multiply what they are given."""

import itertools
from itertools import starmap, takewhile

import torch


def rows(x):
    y = x.sigmoid()
    list(starmap(torch.Tensor.add_, [(y, 1)]))  # error: IP101
    return y


def up_to(x):
    y = x.sigmoid()
    for _, state in takewhile(lambda entry: entry[0] < 1, [(0, x * 2), (1, y)]):
        state.add_(1)
    return y


def choices(x):
    y = x.sigmoid()
    for state, scale in itertools.product([x * 2, y], [1, 2]):
        state.mul_(scale)  # error: IP101
    return y


def twice(x):
    y = x.sigmoid()
    once, again = itertools.tee([y])
    for state in once:
        state * 2
    for state in again:
        state.add_(1)  # error: IP101
    return y


for f in (rows, up_to, choices, twice):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
