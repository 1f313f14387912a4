"""What stands in the last arm of a long chain is reached by a way that keeps the decisions before it."""

import torch
from torch import nn


def apply_layers(kinds, x):
    weight = nn.Parameter(torch.ones(3))
    for kind in kinds:
        if kind == "conv":
            x = x * weight
        elif kind == "norm":
            x = x - x.mean()
        elif kind == "pool":
            x = x[:1]
        elif kind == "up":
            x = torch.cat([x, x])
        elif kind == "skip":
            x = x + 1
        elif kind == "drop":
            pass
        else:
            y = weight.exp()
            y.add_(1)  # error: IP101
            y.sum().backward()
    return x


try:
    apply_layers(["other"], torch.ones(3))
except RuntimeError as error:
    print(error)
