"""A helper that returns a new tensor, and one that writes the leaf it is given."""

import torch


def plus_one(t):
    return t + 1


def add_one(t):
    t.add_(1)  # error: IP201
    return t


x = torch.tensor([1.0, 2.0, 4.0], requires_grad=True)
plus_one(x).sum().backward()
add_one(x).sum().backward()
