"""The iterators of itertools, over lists and over generators that take turns with the loop."""

import itertools
from itertools import chain, count, cycle, groupby, islice, repeat, starmap, takewhile

import torch


def states_of(x):
    for _ in range(3):
        x = x.sigmoid()
        yield x


def one_after_the_other(x):
    made = []
    for state in chain(states_of(x), [x * 2]):
        made.append(state)
        state.add_(1)  # error: IP101
    return sum(made)


def flattened(x):
    y = x.sigmoid()
    for state in chain.from_iterable([[x * 2], [y]]):
        state.add_(1)  # error: IP101
    return y


def cut(x):
    y = x.sigmoid()
    states = [x * 2, y, x * 3]
    for state in islice(states, 0, 3, 2):
        state.add_(1)
    for state in islice(states, 2):
        state.add_(1)  # error: IP101
    return y


def neighbours(x):
    states = [x.sigmoid(), x.tanh()]
    for before, after in itertools.pairwise(states):
        after.add_(1)  # error: IP101
        before = before * 2
    return sum(states)


def counted(x):
    states = [x.sigmoid(), x.tanh(), x.exp()]
    for i, state in zip(count(start=1), states):
        if i == 3:
            state.add_(1)  # error: IP101
    return sum(states)


def repeated(x):
    y = x.sigmoid()
    for state, _ in zip(repeat(y), range(2)):
        state.add_(1)  # error: IP101
    return y


def around(x):
    y = x.sigmoid()
    states = cycle([x * 2, y])
    next(states).add_(1)
    next(states).add_(1)  # error: IP101
    return y


def rows(x):
    y = x.sigmoid()
    list(starmap(torch.Tensor.add_, [(y, 1)]))  # error: IP101
    return y


def up_to(x):
    y = x.sigmoid()
    for _, state in takewhile(lambda entry: entry[0] < 1, [(0, x * 2), (1, y)]):
        state.add_(1)
    return y


def in_groups(x):
    y = x.sigmoid()
    for name, group in groupby([("a", x * 2), ("b", y)], key=lambda entry: entry[0]):
        for _, state in group:
            if name == "b":
                state.add_(1)  # error: IP101
    return y


def as_long_as_any(x):
    y = x.sigmoid()
    for one, other in itertools.zip_longest([x * 2], [x * 3, y], fillvalue=None):
        if one is None:
            other.add_(1)  # error: IP101
    return y


def all_pairs(x):
    states = [x.sigmoid(), x * 2, x * 3]
    for _, second in itertools.combinations(states, 2):
        second.add_(1)
    for first, _ in itertools.permutations(states, r=2):
        first.add_(1)  # error: IP101
    return sum(states)


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


for f in (
    one_after_the_other, flattened, cut, neighbours, counted, repeated, around, rows, up_to, in_groups, as_long_as_any,
    all_pairs, choices, twice,
):  # fmt: skip
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
