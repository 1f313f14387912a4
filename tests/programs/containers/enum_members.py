"""A loop over an enum meets its members, those that stand for functions in a table too."""

from enum import Enum, IntEnum, auto

import torch


class Scale(Enum):
    HALF = auto()
    SHIFT = auto()


class Axis(IntEnum):
    ROW = 0
    COLUMN = 1


def halve(x):
    return x / 2


def shift(x):
    x.add_(1)  # error: IP101
    return x


TABLE = {Scale.HALF: halve, Scale.SHIFT: shift}
x = torch.rand(2, 2, requires_grad=True)
for kind in Scale:
    TABLE[kind](x.sigmoid()).sum().backward()

y = x.exp()
rows = [y.sum(axis) for axis in Axis]
for row in rows:
    row.mul_(2)
(rows[0] + rows[1]).sum().backward()
