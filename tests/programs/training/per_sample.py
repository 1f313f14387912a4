"""Gradients of each sample by `vmap` and `grad` are plain results; `vmap` alone does its function's work."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

net = nn.Linear(3, 1)
parameters = {name: value.detach() for name, value in net.named_parameters()}


def loss_of(weights, sample, target):
    out = functional_call(net, weights, (sample.unsqueeze(0),))
    return (out - target).pow(2).mean()


gradients = vmap(grad(loss_of), in_dims=(None, 0, 0))(parameters, torch.rand(4, 3), torch.rand(4, 1))
for gradient in gradients.values():
    gradient.clamp_(-1, 1)


def grown(row):
    result = row.exp()
    result.add_(1)  # error: IP101
    return result


def scaled(row):
    result = row * 2
    result.add_(1)
    return result


w = torch.rand(2, 3, requires_grad=True)
vmap(scaled)(w).mul_(2).sum().backward()
vmap(grown)(w).sum().backward()
