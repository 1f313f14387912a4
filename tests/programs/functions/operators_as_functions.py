"""The functions of operator: as operators, in place or not."""

import operator
from functools import partial, partialmethod, reduce
from operator import attrgetter, itemgetter, methodcaller

import torch


def added(x):
    y = x.sigmoid()
    z = operator.add(y, 1)
    operator.iadd(z, 1)
    operator.iadd(y, 1)  # error: IP101
    return y


def stored(x):
    y = x.sigmoid()
    states = {}
    operator.setitem(states, "y", y)
    operator.setitem(operator.getitem(states, "y"), 0, 1.0)  # error: IP101
    return y


def looked_up(x):
    y = x.sigmoid()
    itemgetter("z")({"y": y, "z": x * 2}).add_(1)
    _, found = itemgetter(0, 1)([x, y])
    found.add_(1)  # error: IP101
    return y


def by_attribute(x):
    y = x.sigmoid()
    attrgetter("data.data")(y).add_(1)  # error: IP301
    return y


def called(x):
    y = x.sigmoid()
    methodcaller("add_", 1, alpha=2)(y)  # error: IP101
    return y


def put_together(x):
    y = x.sigmoid()
    reduce(operator.imul, [1, 2], y)  # error: IP101
    return y


def given_first(x):
    y = x.sigmoid()
    add_two = partial(torch.Tensor.add_, other=2)
    add_two(y)  # error: IP101
    return y


class Scaler:
    def scale(self, state, factor):
        return state.mul_(factor)  # error: IP101

    double = partialmethod(scale, factor=2)


def method_given_first(x):
    y = x.sigmoid()
    return Scaler().double(y)


for f in (added, stored, looked_up, by_attribute, called, put_together, given_first, method_given_first):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
