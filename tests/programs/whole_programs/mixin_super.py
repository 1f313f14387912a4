"""Mixins whose forward goes up with super(); one of them scales in place."""

import torch
from torch import nn


class ScaleMixin:
    scale = 2.0

    def forward(self, x):
        y = super().forward(x)
        y.mul_(self.scale)  # error: IP101
        return y


class ShiftMixin:
    def forward(self, x):
        y = super().forward(x)
        y += 1
        return y


class TanhLinear(nn.Linear):
    def forward(self, x):
        return super().forward(x).tanh()


class A(ShiftMixin, nn.Linear):
    pass


class B(ScaleMixin, TanhLinear):
    scale = 0.5


class C(ScaleMixin, A):
    pass


x = torch.randn(2, 3)
A(3, 3)(x).sum().backward()
C(3, 3)(x).sum().backward()
B(3, 3)(x).sum().backward()
