"""Builtins find by keyword what they find by place, and refuse what Python refuses."""

import torch


def numbered(x):
    states = [x.sigmoid(), x.tanh()]
    for i, state in enumerate(iterable=states, start=1):
        if i == 2:
            state.add_(1)  # error: IP101
    return sum(states)


def added(x):
    total = sum([x.exp(), x.sin()], start=x.tanh())
    y = total.sigmoid()
    total.mul_(2)
    y.mul_(2)  # error: IP101
    return y


def ordered(x):
    states = [(2, x.sigmoid()), (1, x * 2)]
    first = sorted(states, key=lambda entry: entry[0])[0][1]
    first.add_(1)
    last = sorted(states, key=lambda entry: entry[0], reverse=True)[0][1]
    last.add_(1)  # error: IP101
    return states[0][1]


def in_place_order(x):
    states = [(2, x.sigmoid()), (1, x * 2)]
    states.sort(key=lambda entry: entry[0])
    states[0][1].add_(1)
    states[1][1].add_(1)  # error: IP101
    return states[1][1]


def largest(x):
    states = {"a": x.sigmoid(), "b": x * 2}
    name = max(["a"], key=len, default="b")
    states[name].add_(1)  # error: IP101
    other = max([], default="b")
    states[other].add_(1)
    return states["a"]


def powers(x):
    y = x * 2
    z = pow(base=y, exp=3)
    y.add_(1)  # error: IP101
    return z


def fitting(x):
    y = x.sigmoid()
    for state in filter(lambda state: state is not None, [None, y]):
        state.add_(1)  # error: IP101
    return y


def with_default(x):
    states = iter([x.sigmoid()])
    y = next(states)
    other = next(states, None)
    if other is not None:
        other.add_(1)
    y.add_(1)  # error: IP101
    return y


for f in (numbered, added, ordered, in_place_order, largest, powers, fitting, with_default):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
