"""What isinstance, type, getattr with a default and hasattr say of what is known."""

import copy
from dataclasses import asdict, dataclass, replace

import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.rand(3))
        self.states = []

    def forward(self, x):
        y = (x * self.weight).sigmoid()
        if getattr(self, "frozen", False):
            y.add_(1)
        if hasattr(self, "states") and not hasattr(self, "missing"):
            self.states.append(y)
        return y


def of_lists(states):
    if isinstance(states, tuple):
        states[0].add_(1)
    if isinstance(states, (list, tuple)):
        states = type(states)(state * 2 for state in states)
    return states


def through(x):
    y = x.sigmoid()
    for state in of_lists([y]):
        state.add_(1)
    return y


def kinds(x):
    y = x.sigmoid()
    if type([x]) is tuple or isinstance("x", int) or callable(None):
        y.add_(1)
    if type([]) is list:
        y.add_(1)  # error: IP101
    return y


@dataclass
class State:
    hidden: torch.Tensor
    scale: float = 1.0


def replaced(x):
    y = x.sigmoid()
    state = replace(State(hidden=x * 2), hidden=y)
    copied = copy.copy(x=state)
    copied.hidden.add_(1)  # error: IP101
    return y


def copied(x):
    y = x.sigmoid()
    values = asdict(State(hidden=x.detach()))
    values["hidden"].add_(1)
    return y


layer = Layer()
x = torch.rand(3, requires_grad=True)
layer(x).sum().backward()
layer.states[0].sum()
through(x).sum().backward()
copied(x).sum().backward()
for f in (kinds, replaced):
    try:
        f(x).sum().backward()
    except RuntimeError as error:
        print(error)
