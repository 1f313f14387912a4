from enum import Enum

import torch


class Reg(Enum):
    L1 = "l1"
    UNIT = "unit"

    def apply(self, t):
        if self is Reg.UNIT:
            return t / t.norm()
        return t.abs()


w = torch.randn(4, requires_grad=True)
h = w * 2
(Reg.UNIT.apply(h) + Reg.L1.apply(w)).sum().backward()
