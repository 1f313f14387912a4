"""Functions that a class decorates: what is called is its object, with or without arguments of its own."""

import functools

import torch

w = torch.randn(3, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Doubled:
    def __init__(self, function):
        functools.update_wrapper(self, function)
        self.function = function

    def __call__(self, *args):
        out = self.function(*args)
        out *= 2  # error: IP101
        return out


@Doubled
def exponential(t):
    return t.exp()


@Doubled
def tripled(t):
    return t * 3


walk(tripled(w))
walk(exponential(w))


class Shifted:
    def __init__(self, by):
        self.by = by

    def __call__(self, function):
        @functools.wraps(function)
        def inner(t):
            return function(t).add_(self.by)  # error: IP101

        return inner


@Shifted(by=1)
def squashed(t):
    return t.sigmoid()


walk(squashed(w))


class Cached:
    def __init__(self, function):
        self.function, self.name = function, function.__name__

    def __get__(self, owner, cls=None):
        if self.name not in owner.__dict__:
            owner.__dict__[self.name] = self.function(owner)
        return owner.__dict__[self.name]


class Layer:
    @Cached
    def weight(self):
        return w.exp()

    def forward(self, x):
        y = (x * self.weight).sum()
        self.weight.add_(1)  # error: IP101
        return y


walk(Layer().forward(torch.ones(3, requires_grad=True)))


class Counted:
    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *args):
        self.calls += 1
        return self.function(*args)


@Counted
def same(t):
    return t


walk(same(w.exp()).clone().zero_())
walk(same(w.exp()).zero_())  # error: IP101
