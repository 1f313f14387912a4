"""A method chosen by the class of its argument: the nearest one runs."""

from functools import singledispatchmethod

import torch


class State:
    def __init__(self, value):
        self.value = value


class Frozen(State):
    pass


class Scale:
    @singledispatchmethod
    def apply(self, state):
        raise TypeError

    @apply.register
    def _(self, state: State):
        state.value.mul_(2)  # error: IP101

    @apply.register
    def _(self, state: Frozen):
        state.value = state.value * 2


p = torch.randn(3, requires_grad=True)
first, other = State(p.exp()), Frozen(p.exp())
scale = Scale()
scale.apply(first)
scale.apply(other)
(first.value + other.value).sum().backward()
