"""What one function makes of a class is nothing to another that is called without it."""

import torch


class Options:
    in_place = False


def hurry(x: torch.Tensor):
    Options.in_place = True
    y = x * 2
    return y.relu_()


def activate(x: torch.Tensor):
    y = x.exp()
    if Options.in_place:
        y.add_(1)
    return y.sum()


activate(torch.rand(3, requires_grad=True)).backward()
