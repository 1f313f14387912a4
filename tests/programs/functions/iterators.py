"""The iterators of itertools that walk over one thing, a list or a generator that takes turns with the loop."""

from itertools import chain, count, cycle, islice, repeat

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


for f in (one_after_the_other, flattened, cut, counted, repeated, around):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
