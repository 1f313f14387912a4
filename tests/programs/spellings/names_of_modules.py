"""The names of a module as a dict: its `__dict__`, `vars` and `globals`."""

import torch
from torch import nn


def squash(x):
    return x.sigmoid()


def shift(x):
    return x + 1


def pick(name):
    return globals()[name]


def pick_or_shift(name):
    return globals().get(name, shift)


x = torch.randn(3, requires_grad=True)
try:
    y = torch.__dict__["sigmoid"](x)
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
try:
    y = vars(torch)["tanh"](x)
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
try:
    y = nn.__dict__["Sigmoid"]()(x)
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
try:
    y = pick("squash")(x)
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
try:
    y = pick_or_shift("squash")(x)
    y.mul_(2)  # error: IP101
    y.sum().backward()
except RuntimeError:
    pass
y = pick("shift")(x)
y.mul_(2)
y.sum().backward()
