"""A hook of every module writes what a sigmoid keeps, until it is removed."""

import torch
from torch import nn
from torch.nn.modules.module import register_module_forward_hook


def scale_(module, inputs, output):
    if isinstance(module, nn.Sigmoid):
        output.mul_(2)  # error: IP101


net = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid(), nn.Linear(3, 1))
handle = register_module_forward_hook(scale_)
out = net(torch.randn(2, 3)).sum()
handle.remove()
net(torch.randn(2, 3)).sum().backward()
out.backward()
