"""inplace=True travels through **kwargs to an activation behind a tanh."""

import torch
import torch.nn as nn


def make_layer(dim, **kwargs):
    return Layer(dim, **kwargs)


class Layer(nn.Module):
    def __init__(self, dim, act_layer=nn.ReLU, act_kwargs=None, **extra):
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.act = act_layer(**(act_kwargs or {}))

    def forward(self, x, *, scale=1.0):
        x = torch.tanh(self.fc(x))
        return self.act(x) * scale  # error: IP101


config = {"act_layer": nn.Hardtanh, "act_kwargs": {"min_val": 0.0, "inplace": True}, "unused": 1}
net = nn.Sequential(*(make_layer(3, **config) for _ in range(2)))
net(torch.randn(2, 3)).sum().backward()
