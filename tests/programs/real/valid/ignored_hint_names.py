"""Functions whose names end in an underscore and in-place methods of other objects."""

import torch


class Meter:
    def __init__(self):
        self.values = set()

    def add_(self, v):
        self.values.add(v)
        return self


def scale_(t, by):
    with torch.no_grad():
        t.mul_(by)
    return t


w = torch.randn(3, requires_grad=True)
meter = Meter().add_(1.0)
meter.values |= {2.0}
scale_(w, 0.5)
loss = (w**2).sum()
meter.add_(loss.item())
loss.backward()
scale_(w, 2.0)
