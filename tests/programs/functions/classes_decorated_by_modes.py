"""A grad mode that decorates a class holds while an object is made, and not in its methods."""

import torch
from torch import nn


class Halving:
    def __init__(self, weight):
        weight.mul_(0.5)  # error: IP201
        self.weight = weight


@torch.no_grad()
class Scaling:
    def __init__(self, weight, factor):
        weight.mul_(factor)
        self.weight, self.factor = weight, factor

    def undo(self):
        self.weight.div_(self.factor)  # error: IP201


@torch.no_grad()
class Quartering(Halving):
    def finish(self):
        return self.weight


layer = nn.Linear(3, 3)
scaling = Scaling(layer.weight, 2.0)
Scaling(layer.bias, 0.1)
for make in (Halving, Quartering):
    try:
        make(layer.weight)
    except RuntimeError as error:
        print(error)
try:
    scaling.undo()
except RuntimeError as error:
    print(error)
layer(torch.rand(2, 3)).sum().backward()
