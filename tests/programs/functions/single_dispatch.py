"""A function chosen by the type of its argument writes what an exponential keeps."""

from functools import singledispatch

import torch


@singledispatch
def scale(x):
    raise TypeError


@scale.register(torch.Tensor)
def _(x):
    return x.mul_(2)  # error: IP101


@scale.register
def _(x: list):
    return [scale(part) for part in x]


@scale.register(dict)
def scale_dict(x):
    return {key: value * 2 for key, value in x.items()}


p = torch.randn(3, requires_grad=True)
a, b, c = torch.exp(p), torch.exp(p), torch.exp(p)
scale(a)
scale([b])
scale({"c": c})["c"].sum().backward()
(a + b).sum().backward()
