"""A forward pre-hook adds noise in place to the layer's input, which the activation before it kept."""

import torch
import torch.nn as nn


def add_noise(module, args):
    (x,) = args
    x.add_(0.1 * torch.randn_like(x))  # error: IP101


net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 1))
net[2].register_forward_pre_hook(add_noise)
net(torch.randn(4, 3)).mean().backward()
