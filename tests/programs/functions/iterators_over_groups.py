"""The iterators of itertools that hand on neighbours, groups and pairs."""

import itertools
from itertools import groupby

import torch


def neighbours(x):
    states = [x.sigmoid(), x.tanh()]
    for before, after in itertools.pairwise(states):
        after.add_(1)  # error: IP101
        before = before * 2
    return sum(states)


def in_groups(x):
    y = x.sigmoid()
    for name, group in groupby([("a", x * 2), ("b", y)], key=lambda entry: entry[0]):
        for _, state in group:
            if name == "b":
                state.add_(1)  # error: IP101
    return y


def all_pairs(x):
    states = [x.sigmoid(), x * 2, x * 3]
    for _, second in itertools.combinations(states, 2):
        second.add_(1)
    for first, _ in itertools.permutations(states, r=2):
        first.add_(1)  # error: IP101
    return sum(states)


def as_long_as_any(x):
    y = x.sigmoid()
    for left, other in itertools.zip_longest([x * 2], [x * 3, y], fillvalue=None):
        if left is None:
            other.add_(1)  # error: IP101
    return y


for f in (neighbours, in_groups, all_pairs, as_long_as_any):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
