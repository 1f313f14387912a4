"""A linear layer joins all dimensions of its input but the last: of a turned view it keeps a copy, if that takes one."""

import torch
from torch import nn

fc = nn.Linear(8, 8)
embed = nn.Conv2d(3, 8, kernel_size=4, stride=4)


def swapped(x):
    h = x * 2
    y = fc(h.transpose(1, 2))
    h += 1
    return y


def permuted(x):
    h = x * 2
    y = fc(h.permute(0, 2, 3, 1))
    h += 1
    return y


def residual(image):
    tokens = embed(image).flatten(2).transpose(1, 2)
    tokens += fc(tokens)
    return tokens


def rotated(x):
    h = x * 2
    y = fc(h.permute(1, 2, 0))
    h += 1  # error: IP101
    return y


def matrix(x):
    h = x * 2
    y = fc(h.transpose(0, 1))
    h += 1  # error: IP101
    return y


swapped(torch.rand(2, 8, 5)).sum().backward()
permuted(torch.rand(2, 8, 4, 4)).sum().backward()
residual(torch.rand(2, 3, 16, 16)).sum().backward()
for step, extents in ((rotated, (8, 3, 4)), (matrix, (8, 3))):
    try:
        step(torch.rand(*extents)).sum().backward()
    except RuntimeError as error:
        print(error)
