"""Layers of torch's own, and containers of them, that carry something more."""

import torch
from torch import nn

from attaching import attach, attach_all


def make_gated(width):
    return attach(nn.Linear(width, width), "act", nn.Sigmoid())


def make_scored(width):
    return attach_all(nn.Sequential(nn.Linear(width, width)), score=torch.exp, plain=torch.neg)


def make_taught(width):
    return attach(nn.Linear(width, width), "teacher", nn.Sequential(nn.Linear(width, width), nn.Tanh()))
