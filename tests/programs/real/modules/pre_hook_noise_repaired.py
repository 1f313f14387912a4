"""The pre-hook returns a noisy copy."""

import torch
import torch.nn as nn


def add_noise(module, args):
    (x,) = args
    return (x + 0.1 * torch.randn_like(x),)


net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
net[2].register_forward_pre_hook(add_noise)
net(torch.randn(4, 3)).mean().backward()
