"""A decorator scales in place what the forward it wraps returns: a sigmoid needs its output."""

import functools

import torch
import torch.nn as nn


def scaled(factor):
    def wrap(forward):
        @functools.wraps(forward)
        def inner(self, *args, **kwargs):
            out = forward(self, *args, **kwargs)
            out *= factor  # error: IP101
            return out

        return inner

    return wrap


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    @scaled(0.5)
    def forward(self, x):
        return torch.sigmoid(self.fc(x))


Net()(torch.randn(2, 3)).sum().backward()
