"""What an ExitStack has entered is left with it: no_grad, and an object that scales weights for a while."""

import contextlib

import torch
from torch import nn


class Scaled:
    def __init__(self, weight, factor):
        self.weight, self.factor = weight, factor

    def __enter__(self):
        with torch.no_grad():
            self.weight.mul_(self.factor)
        return self.weight

    def __exit__(self, *error):
        with torch.no_grad():
            self.weight.div_(self.factor)  # error: IP101


def forward(layers, x, train):
    with contextlib.ExitStack() as stack:
        if not train:
            stack.enter_context(torch.no_grad())
            layers[0].bias.zero_()
        for layer in layers:
            stack.enter_context(Scaled(layer.weight, 2.0))
        return layers[1](layers[0](x).tanh()).sum()


layers = [nn.Linear(3, 3), nn.Linear(3, 1)]
x = torch.randn(4, 3)
print(forward(layers, x, train=False))
loss = forward(layers, x, train=True)
loss.backward()
