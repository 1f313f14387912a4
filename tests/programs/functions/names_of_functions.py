"""A registry lists functions by their names; a wrapper has the name of what it wraps, and leads back to it."""

import functools

import torch

ACTIVATIONS = {}


def register(function):
    name = function.__name__
    if name in ACTIVATIONS:
        raise ValueError(name)
    ACTIVATIONS[name] = function
    return function


def logged(function):
    @functools.wraps(function)
    def wrapper(x):
        return function(x.detach())

    return wrapper


@register
def keeps_result(x):
    return x.sigmoid()


@register
@logged
def keeps_input(x):
    return x.square()


x = torch.ones(3, requires_grad=True) * 2
squares = ACTIVATIONS["keeps_input"](x)
x.add_(1)  # the wrapper detaches it
gate = ACTIVATIONS["keeps_result"](x)
gate.mul_(2)  # no backward goes through it
y = ACTIVATIONS["keeps_input"].__wrapped__(x)
x.add_(1)  # error: IP101
(y + squares).sum().backward()
