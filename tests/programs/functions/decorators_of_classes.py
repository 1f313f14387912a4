"""Decorators that put a function or an object in the place of a class."""

import functools

import torch
from torch import nn


def remembered(cls):
    objects = {}

    @functools.wraps(cls)
    def find(*args, **kwargs):
        if cls not in objects:
            objects[cls] = cls(*args, **kwargs)
        return objects[cls]

    return find


def fresh(cls):
    def make(*args, **kwargs):
        return cls(*args, **kwargs)

    return make


class Shared:
    def __init__(self, cls):
        self.cls = cls
        self.made = None

    def __call__(self, *args):
        if self.made is None:
            self.made = self.cls(*args)
        return self.made


@remembered
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("factor", torch.ones(3))

    def forward(self, x):
        y = x.exp()
        z = y * self.factor
        y.mul_(2)  # error: IP101
        return z


@Shared
class Settings:
    def __init__(self, size):
        self.shift = torch.ones(size)


@fresh
class Counts:
    def __init__(self, size):
        self.seen = torch.ones(size)


w = torch.rand(3, requires_grad=True)

y = w * Scale().factor
Scale().factor.add_(1)  # error: IP101
try:
    y.sum().backward()
except RuntimeError as error:
    print(error)

y = w * Settings(3).shift
Settings(3).shift.add_(1)  # error: IP101
try:
    y.sum().backward()
except RuntimeError as error:
    print(error)

y = w * Counts(3).seen
Counts(3).seen.add_(1)
y.sum().backward()

try:
    Scale()(w).sum().backward()
except RuntimeError as error:
    print(error)
