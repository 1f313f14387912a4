"""Gradients that are no expanded ones: a hook may write them."""

import torch


def double_(g):
    g.mul_(2)


x = torch.randn(3, requires_grad=True)
y = x * 2
y.register_hook(double_)
(y * 3).sum().backward()
x.register_hook(lambda g: g.clamp_(-1, 1))
(x * 2).mean().backward()
