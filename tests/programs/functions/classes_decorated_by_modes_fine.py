"""Objects made under no_grad by the decorator of their class, in whose base the weights are written."""

import torch
from torch import nn


class Halving:
    def __init__(self, weight):
        weight.mul_(0.5)
        self.weight = weight


@torch.no_grad()
class Quartering(Halving):
    def __init__(self, weight):
        super().__init__(weight)
        weight.mul_(0.5)


@torch.inference_mode()
class Reading:
    def __init__(self, layer, x):
        self.shown = layer(x).exp_().tolist()


layer = nn.Linear(3, 3)
Quartering(layer.weight)
print(Reading(layer, torch.rand(2, 3)).shown)
layer(torch.rand(2, 3)).sum().backward()
