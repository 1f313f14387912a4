"""A decorator that reads the table it fills: what it makes of an entry is seen."""

import torch

STEPS = {}
ORDER = []


def register(function):
    STEPS[function.__name__] = function
    ORDER.append(function)
    return function


def derive(name):
    base = STEPS[name]

    def decorate(function):
        def run(x):
            return function(base(x))

        STEPS[function.__name__] = run
        return run

    return decorate


@register
def squash(x):
    return x.sigmoid()


@register
def shift(x):
    return x + 1


@derive("squash")
def double(y):
    y.mul_(2)  # error: IP101
    return y


@derive("shift")
def halve(y):
    y.div_(2)
    return y


def run_first(x):
    y = ORDER[0](x)
    y.neg_()  # error: IP101
    return y


def run_last(x):
    y = ORDER[-1](x)
    y.neg_()
    return y


x = torch.rand(3, requires_grad=True)
for run in (double, halve, run_first, run_last):
    try:
        run(x).sum().backward()
    except RuntimeError as error:
        print(error)
