"""The same, where the copy is written: nothing is wrong."""

import torch
from torch import nn


class Config:
    def __init__(self, **kw):
        object.__setattr__(self, "_data", {})
        for k, v in kw.items():
            setattr(self, k, v)

    def __setattr__(self, name, value):
        self._data[name] = value

    def __getattr__(self, name):
        return self._data[name]


class Renaming(nn.Module):
    alias = {"act": "activation"}

    def __init__(self, cfg):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        self.act = getattr(nn, cfg.act)()

    def __setattr__(self, name, value):
        nn.Module.__setattr__(self, self.alias.get(name, name), value)

    def forward(self, x):
        h = self.activation(self.fc(x))
        h += 1
        return h


class Tracked(nn.Module):
    def __init__(self):
        super(Tracked, self).__init__()
        self.fc = nn.Linear(3, 4)

    def __setattr__(self, name, value):
        if isinstance(value, torch.Tensor) and not isinstance(value, nn.Parameter):
            value = value.clone()
        super().__setattr__(name, value)

    def forward(self, x):
        h = torch.sigmoid(self.fc(x))
        self.kept = h
        self.kept.mul_(0)
        return h


Tracked()(torch.randn(2, 3)).sum().backward()
