"""Decorators, partials, context managers and generators."""

from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial, wraps

import torch


@dataclass
class State:
    x: torch.Tensor
    step: int = 0

    @property
    def scaled(self):
        return self.x * 2


def bump(t, amount=1.0, *, inplace=False):
    if inplace:
        t.add_(amount)  # error: IP101
        return t
    return t + amount


def logged(fn):
    @wraps(fn)
    def inner(*args, **kwargs):
        out = fn(*args, **kwargs)
        return out

    return inner


@logged
def act(t):
    s = torch.sigmoid(t)
    bump(s, inplace=True)
    return s


w = torch.randn(3, requires_grad=True)
st = State(w.exp())
try:
    act(st.scaled).sum().backward()
except RuntimeError:
    pass
quiet = partial(bump, inplace=True)
z = st.x
quiet(z, 2.0)
try:
    (st.x * 1).sum().backward()  # error: IP103
except RuntimeError:
    pass


@contextmanager
def frozen():
    with torch.no_grad():
        yield


with frozen():
    w.mul_(0.5)


def gen(n):
    for i in range(n):
        yield w.tanh()


total = 0
for t in gen(2):
    t += 1  # error: IP101
    total = total + t.sum()
try:
    total.backward()
except RuntimeError:
    pass
