"""A progress bar hands its iterable through, one element after the other."""

import torch
from tqdm import tqdm, trange
from tqdm.auto import tqdm as auto


def states_of(x):
    for _ in range(2):
        x = x.sigmoid()
        yield x


def over_a_list(x):
    y = x.sigmoid()
    for state in tqdm([x * 2, y], desc="states", total=2, disable=True):
        state.add_(1)  # error: IP101
    return y


def over_a_generator(x):
    for at, state in enumerate(tqdm(states_of(x), disable=True)):
        last = state.add_(at)  # error: IP101
    return last


def over_numbers(x):
    y = x.sigmoid()
    with auto(iterable=range(2), disable=True) as bar:
        for at in bar:
            bar.set_postfix(loss=y, at=at)
            y.add_(1)  # error: IP101
    for _ in trange(2, disable=True):
        x * 2
    return y


def by_hand(x):
    y = x.sigmoid()
    bar = tqdm(total=2, disable=True)
    z = y * 2
    bar.update(n=1)
    z.add_(1)
    bar.close()
    return z


for f in (over_a_list, over_a_generator, over_numbers, by_hand):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
