"""A property hands out the tensor."""

import torch


class Holder:
    __slots__ = ("_value",)

    def __init__(self, value):
        self._value = value

    @property
    def value(self):
        return self._value


x = torch.rand(3, requires_grad=True)
holder = Holder(x.sigmoid())
holder.value.mul_(2)  # error: IP101
holder.value.sum().backward()
