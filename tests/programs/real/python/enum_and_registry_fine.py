"""A registry of losses by decorator; each writes masks and counts in place."""

import enum

import torch
from torch import nn

LOSSES = {}


class Kind(enum.Enum):
    HINGE = "hinge"
    LOGISTIC = "logistic"


def register(kind):
    def wrap(fn):
        LOSSES[kind] = fn
        return fn

    return wrap


@register(Kind.HINGE)
def hinge(score, y):
    margin = 1 - score * y
    margin[margin < 0] = 0
    return margin.mean()


@register(Kind.LOGISTIC)
def logistic(score, y):
    w = torch.ones_like(y)
    w[y < 0] = 2.0
    return (w * nn.functional.softplus(-score * y)).mean()


net = nn.Linear(3, 1)
for kind in Kind:
    y = torch.sign(torch.randn(4))
    LOSSES[kind](net(torch.randn(4, 3)).squeeze(-1), y).backward()
