"""Functions that a call of a `@contextmanager` decorates run inside a new context each time; `cast` returns its value."""

import typing
from contextlib import contextmanager

import torch
from torch import nn

w = torch.randn(3, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


@contextmanager
def without_gradients():
    with torch.no_grad():
        yield


@contextmanager
def timed(name):
    print("start", name)
    yield
    print("end", name)


@without_gradients()
def target(t):
    return t.exp().mul_(2)


walk(w * target(w))
walk(w * target(w))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    @timed("forward")
    def forward(self, x, *, scale=2):
        y = self.linear(x).exp()
        y.mul_(scale)  # error: IP101
        return y


walk(Net()(w, scale=3))


class Scaled:
    def __init__(self, t):
        self.t = t

    @timed("by")
    def by(self, factor):
        self.t = self.t * factor
        return self


walk(Scaled(w).by(2).t.add_(1))
y = w.exp()
typing.cast(torch.Tensor, y).zero_()  # error: IP101
walk(y)
