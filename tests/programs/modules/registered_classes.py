"""Modules that a registry of their file keeps: each is judged, and so is one that is built by its name."""

import torch
from torch import nn


class Registry:
    def __init__(self):
        self._classes = {}

    def register(self, name=None):
        def decorate(cls):
            self._classes[name or cls.__name__] = cls
            return cls

        return decorate

    def build(self, name):
        return self._classes[name]()


LAYERS = Registry()


@LAYERS.register()
class Squash(nn.Module):
    def forward(self, x):
        return x.sigmoid()


@LAYERS.register("scale")
class Scale(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x).exp()
        y *= 2  # error: IP101
        return y


@LAYERS.register("after")
class AfterAnother(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = LAYERS.build("Squash")

    def forward(self, x):
        y = self.first(x)
        y += 1  # error: IP101
        return y


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.act = LAYERS.build("Squash")

    def forward(self, x):
        y = self.act(self.linear(x))
        y -= 1  # error: IP101
        return y


for module in (Scale(), AfterAnother(), Net()):
    try:
        module(torch.rand(2, 3, requires_grad=True)).sum().backward()
    except RuntimeError as error:
        print(error)
