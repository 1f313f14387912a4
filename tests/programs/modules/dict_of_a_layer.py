"""Whoever looks into a layer's `__dict__` finds its parameters, modules and mode there; the layer keeps them."""

import torch
from torch import nn


def scale_weights():
    layer = nn.Linear(3, 3)
    if not layer.__dict__["_parameters"]:
        return
    for parameter in layer._parameters.values():
        try:
            parameter.mul_(2)  # error: IP201
        except RuntimeError:
            pass


def shift_weights():
    layers = nn.Sequential(nn.Linear(3, 3))
    assert "0" in layers.__dict__["_modules"]
    for layer in layers.__dict__["_modules"].values():
        try:
            layer.weight.add_(1)  # error: IP201
        except RuntimeError:
            pass


class Gated(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.scale = nn.Parameter(torch.ones(3))

    def forward(self, x):
        if "scale" in self.__dict__["_parameters"]:
            x = x * self._parameters["scale"]
        return self.__dict__["_modules"]["layer"](x)

    def shrink(self):
        for parameter in self._parameters.values():
            try:
                parameter.div_(2)  # error: IP201
            except RuntimeError:
                pass


def run_by_mode():
    layer = nn.Linear(3, 3)
    y = layer(torch.rand(3)).exp()
    if layer.__dict__["training"]:
        y.mul_(layer.__dict__["in_features"])  # error: IP101
    y.sum().backward()


scale_weights()
shift_weights()
gated = Gated()
gated(torch.rand(3)).sum().backward()
gated.shrink()
run_by_mode()
