import torch
from torch import nn


class Positive:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, obj, owner=None):
        return getattr(obj, self.name)

    def __set__(self, obj, value):
        getattr(obj, self.name).copy_(value)  # error: IP201


class Scale(nn.Module):
    gain = Positive()

    def __init__(self):
        super().__init__()
        self._gain = nn.Parameter(torch.ones(3))

    def forward(self, x):
        return x * self.gain


s = Scale()
s.gain = torch.full((3,), 2.0)
s(torch.randn(2, 3)).sum().backward()
