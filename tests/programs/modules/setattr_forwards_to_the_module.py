"""A wrapper class with __getattr__ and __setattr__ that forwards to the module; its weight is replaced and written."""

import torch
from torch import nn


class Wrapped:
    def __init__(self, module):
        object.__setattr__(self, "module", module)

    def __getattr__(self, name):
        return getattr(self.module, name)

    def __setattr__(self, name, value):
        setattr(self.module, name, value)

    def __call__(self, *a, **k):
        return self.module(*a, **k)


w = Wrapped(nn.Linear(3, 4))
w.act = nn.Sigmoid()
h = w.module.act(w(torch.randn(2, 3)))
h += 1  # error: IP101
h.sum().backward()
