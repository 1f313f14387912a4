"""The contexts of contextlib: what an ExitStack enters, calls and hands on; contexts entered by their methods."""

import contextlib
from contextlib import ExitStack, closing, nullcontext

import torch


def maybe_without_grad(x, train):
    with nullcontext() if train else torch.no_grad():
        y = x.sigmoid()
    y.add_(1)  # error: IP101
    return y


def handed_in(x):
    y = x.sigmoid()
    with nullcontext(enter_result=y) as state:
        state.add_(1)  # error: IP101
    return y


def called_back(x):
    y = x.sigmoid()
    with ExitStack() as stack:  # error: IP101
        stack.callback(y.add_, 1)
        z = y * 2
    return y + z


def without_grad(x):
    with ExitStack() as stack:
        stack.enter_context(torch.no_grad())
        y = x.sigmoid()
        y.add_(1)
    return x * y


def handed_on(x):
    with ExitStack() as stack:
        stack.enter_context(cm=torch.no_grad())
        rest = stack.pop_all()
    y = x.sigmoid()
    rest.close()
    y.add_(1)
    return x * y


def by_method(x):
    context = torch.no_grad()
    context.__enter__()
    y = x.sigmoid()
    context.__exit__(None, None, None)
    y.add_(1)
    z = x.sigmoid()
    z.add_(1)  # error: IP101
    return z * y


class Store:
    def __init__(self, state):
        self.state = state

    def close(self):
        self.state.add_(1)  # error: IP101


def closed(x):
    y = x.sigmoid()
    with closing(thing=Store(y)) as store:
        print(store.state.shape)
    return y


def silent(x):
    y = x.sigmoid()
    with contextlib.redirect_stdout(None):
        y.add_(1)  # error: IP101
    return y


for f in (handed_in, called_back, without_grad, handed_on, by_method, closed, silent):
    try:
        f(torch.rand(3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
try:
    maybe_without_grad(torch.rand(3, requires_grad=True), train=True).sum().backward()
except RuntimeError as error:
    print(error)
