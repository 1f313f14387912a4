"""Generic classes: subscripted where they are inherited from and called; members of enums by their names."""

from enum import Enum
from typing import Generic, TypeVar

import torch
from torch import nn

T = TypeVar("T")
w = torch.randn(3, requires_grad=True)


def walk(y):
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(error)


class Stage(Generic[T]):
    def prepare(self, t: T) -> T:
        return t * 2

    def run(self, t: T) -> T:
        return self.prepare(t).add_(1)  # error: IP101


class Doubling(Stage[torch.Tensor]):
    pass


class Growing(Stage[torch.Tensor]):
    def prepare(self, t):
        return t.exp()


walk(Doubling().run(w))
walk(Growing().run(w))


class Head(nn.Module, Generic[T]):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)

    def forward(self, x):
        y = self.linear(x).tanh()
        y *= 2  # error: IP101
        return y


class Deep(Head[int]):
    def forward(self, x):
        return super().forward(x) + 1


walk(Deep()(w))
walk(Head[str]()(w))


class Typed:
    def __class_getitem__(cls, name):
        return {"grown": Growing, "doubled": Doubling}[name]


walk(Typed["grown"]().run(w))


class Kind(Enum):
    EXP = "exp"
    DOUBLE = "double"

    def apply(self, t):
        return t.exp() if self is Kind.EXP else t * 2


y = Kind["DOUBLE"].apply(w)
y.add_(1)
walk(y)
y = Kind["EXP"].apply(w)
y.add_(1)  # error: IP101
walk(y)
