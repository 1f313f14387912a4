"""Modules held in order or by name are put in and taken out in every way that torch has."""

import torch
from torch import nn

layers = nn.ModuleList(modules=[nn.Linear(2, 2)])
layers.append(module=nn.Sigmoid())
layers.insert(index=0, module=nn.Tanh())
layers.extend(modules=[nn.ReLU(inplace=True)])
taken = layers.pop(key=0)
stack = nn.Sequential(nn.Linear(2, 2)).append(module=nn.Sigmoid())
stack.extend(sequential=[nn.Tanh(), nn.Hardtanh(inplace=True)])
named = nn.ModuleDict(modules={"first": nn.Linear(2, 2)})
named.update(modules={"second": nn.Sigmoid()})
weights = nn.ParameterList(values=[torch.rand(2)])
weights.append(value=nn.Parameter(torch.rand(2)))
by_name = nn.ParameterDict(parameters={"scale": nn.Parameter(torch.rand(2))})


def through_layers(x):
    for layer in layers:
        x = layer(x)  # error: IP101
    return x


def through_stack(x):
    return stack(x)  # error: IP101


def through_names(x):
    for name in named.keys():
        x = named[name](x)
    x.mul_(2)  # error: IP101
    return x


def scaled(x):
    y = x.sigmoid()
    out = y * weights[1] * by_name["scale"]
    with torch.no_grad():
        by_name.get(key="scale").mul_(2)  # error: IP101
        weights[0].mul_(2)
    return out + by_name.pop(key="scale")


x = torch.rand(3, 2)
assert isinstance(taken, nn.Tanh) and len(layers) == 3
for through in (through_layers, through_stack, through_names, scaled):
    try:
        through(x).sum().backward()
    except RuntimeError:
        pass
