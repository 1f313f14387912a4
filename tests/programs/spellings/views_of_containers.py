"""Other ways to the same object: views of dicts, variables of a context, named tuples of iterables, `Ellipsis`."""

import threading
from collections import namedtuple
from contextvars import ContextVar
from types import MappingProxyType

import torch

w = torch.randn(3, requires_grad=True)
Pair = namedtuple("Pair", "first second")
current = ContextVar("current", default=None)
local = threading.local()


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


y = w.exp()
MappingProxyType({"hidden": y})["hidden"].zero_()  # error: IP101
walk(y)

y = w.exp()
pair = Pair._make([w * 2, y])
pair.first.zero_()
pair.second.zero_()  # error: IP101
walk(y)

y = w.exp()
token = current.set(y)
current.get().zero_()  # error: IP101
walk(y)
current.reset(token)
if current.get() is not None:
    y = w.exp()
    current.get().zero_()

y = w.exp()
local.hidden = y
local.hidden.zero_()  # error: IP101
walk(y)

y = w.exp()
y[(Ellipsis, slice(1))].zero_()  # error: IP101
walk(y)
