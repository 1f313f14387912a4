"""A hook of accelerate's writes what comes into a layer, which the activation before it has saved."""

import torch
from accelerate.hooks import ModelHook, add_hook_to_module
from torch import nn


class Noise(ModelHook):
    def pre_forward(self, module, *args, **kwargs):
        (x,) = args
        x += 0.01 * torch.randn_like(x)  # error: IP101
        return (x,), kwargs


net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
add_hook_to_module(net[2], Noise())
net(torch.randn(2, 3)).sum().backward()
