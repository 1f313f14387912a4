"""A decorator of our own around the function that writes."""

import functools

import torch


def logged(function):
    @functools.wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


@logged
def squash(x):
    y = x.sigmoid()
    y.mul_(2)  # error: IP101
    return y


squash(torch.rand(3, requires_grad=True)).sum().backward()
