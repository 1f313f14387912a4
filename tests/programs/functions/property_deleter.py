"""A property's deleter: what it forgets or writes happens where the attribute is deleted."""

import torch


class Scaled:
    def __init__(self, weight):
        self.weight = weight
        self.result = None

    @property
    def scaled(self):
        if self.result is None:
            self.result = self.weight.exp()
        return self.result

    @scaled.deleter
    def scaled(self):
        self.result = None


class Reset(Scaled):
    @property
    def scaled(self):
        return super().scaled

    @scaled.deleter
    def scaled(self):
        self.result.zero_()  # error: IP101
        self.result = None


weight = torch.rand(3, requires_grad=True)
fresh = Scaled(weight)
for _ in range(2):
    fresh.scaled.sum().backward()
    del fresh.scaled

reset = Reset(weight)
loss = reset.scaled.sum()
del reset.scaled
loss.backward()
