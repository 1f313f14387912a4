"""Centring in place: the mean keeps nothing, the deviation keeps its input."""

import torch


def centred(x):
    h = x * 1.0
    h -= h.mean(-1, keepdim=True)
    return h


def normalised(x):
    h = x * 1.0
    h -= h.mean(-1, keepdim=True)
    spread = h.std(-1, keepdim=True)
    h /= spread  # error: IP101
    return h


x = torch.randn(2, 4, requires_grad=True)
centred(x).sum().backward()
normalised(x).sum().backward()
