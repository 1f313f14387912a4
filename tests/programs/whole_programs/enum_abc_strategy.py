"""Strategy objects behind an ABC, chosen by Enum."""

from abc import ABC, abstractmethod
from enum import Enum, auto

import torch
from torch import nn


class Norm(Enum):
    L2 = auto()
    MINMAX = auto()
    NONE = auto()


class Normalizer(ABC):
    @abstractmethod
    def __call__(self, x): ...


class L2(Normalizer):
    def __call__(self, x):
        x /= x.norm(dim=-1, keepdim=True)  # error: IP101
        return x


class MinMax(Normalizer):
    def __call__(self, x):
        lo, hi = x.amin(-1, keepdim=True), x.amax(-1, keepdim=True)
        return (x - lo) / (hi - lo + 1e-6)


TABLE = {Norm.L2: L2(), Norm.MINMAX: MinMax(), Norm.NONE: lambda x: x}
lin = nn.Linear(3, 3)
for kind in Norm:
    TABLE[kind](lin(torch.randn(2, 3))).sum().backward()
