"""Modes chosen by match, walrus in conditions, star-unpacking; the writes hit only what nobody keeps."""

import torch
from torch import nn

net = nn.ModuleList([nn.Linear(4, 4) for _ in range(3)])


def step(x, mode):
    match mode:
        case "sum":
            out = sum(layer(x) for layer in net)
        case ("scale", factor):
            out = net[0](x)
            out *= factor
        case _:
            first, *rest = [layer(x) for layer in net]
            first += rest[0]
            out = first - rest[-1]
    if (m := out.detach().abs().max()) > 1:
        out /= m
    return out


for mode in ("sum", ("scale", 2.0), "other"):
    step(torch.randn(2, 4), mode).mean().backward()
