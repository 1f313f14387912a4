"""The gradient of a sum is one element, expanded: a hook cannot write it."""

import torch


def double_(g):
    g.mul_(2)  # error: IP205


x = torch.randn(3, requires_grad=True)
y = x * 2
y.register_hook(double_)
y.sum().backward()
