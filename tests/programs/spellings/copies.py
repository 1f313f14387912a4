"""Copies share what they share, whatever they are of: a list its elements, a module its parameters."""

import copy

import torch
from torch import nn


def of_list(x):
    kept = [x.sigmoid()]
    out = kept[0] + 1
    copy.copy(x=kept)[0].mul_(2)  # error: IP101
    return out


def of_module(x):
    net = nn.Linear(2, 2)
    out = net(x)
    with torch.no_grad():
        copy.deepcopy(x=net, memo=None).weight.zero_()
        copy.copy(x=net).weight.zero_()  # error: IP101
    return out


def of_stack(x):
    stack = nn.Sequential(nn.Linear(2, 2))
    out = stack(x)
    with torch.no_grad():
        copy.copy(stack)[0].weight.zero_()  # error: IP101
    return out


class Layer(nn.Linear):
    pass


def of_own(x):
    layer = Layer(2, 2)
    out = layer(x)
    with torch.no_grad():
        copy.copy(x=layer).weight.zero_()  # error: IP101
    return out


def of_tensor(x):
    y = x.sigmoid()
    out = y + 1
    with torch.no_grad():
        copy.copy(y).mul_(2)  # error: IP301
    return out


def of_optimizer(x):
    net = nn.Linear(2, 2)
    optimizer = torch.optim.SGD(net.parameters(), 0.1)
    net(x).sum().backward()
    out = net(x)
    copy.deepcopy(optimizer).step()
    copy.copy(optimizer).step()  # error: IP102
    return out


x = torch.rand(3, 2, requires_grad=True)
for call in (of_list, of_module, of_stack, of_own, of_tensor, of_optimizer):
    try:
        call(x).sum().backward()
    except RuntimeError:
        pass
