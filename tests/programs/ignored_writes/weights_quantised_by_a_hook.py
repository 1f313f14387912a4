"""A hook before each forward pass that drops blocks of a weight: the weight is computed from itself, so that no
gradient of anything else is lost. One that computes it from another parameter loses that one's."""

import torch
from torch import nn


def drop_blocks(module, p, size):
    if p <= 0:
        return module

    def hook(mod, inputs):
        if mod.training:
            weight = mod.weight
            mask = torch.zeros(weight.size(0), weight.size(1) // size).bernoulli_(p)
            mask = mask.repeat_interleave(size, -1).to(torch.bool)
            mod.weight.data = weight.masked_fill(mask, 0) / (1 - p)

    module.register_forward_pre_hook(hook)
    return module


class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.layer = nn.Linear(width, width)
        self.scale = nn.Parameter(torch.ones(width))

    def forward(self, x):
        self.layer.weight.data = self.layer.weight * self.scale  # error: IP302
        return self.layer(x)


class Attention(nn.Module):
    def __init__(self, width, p=0.0):
        super().__init__()
        self.query = drop_blocks(nn.Linear(width, width), p, 2)
        self.key = drop_blocks(nn.Linear(width, width), p, 2)

    def forward(self, x):
        return torch.softmax(self.query(x) @ self.key(x).t(), dim=-1)


net = Attention(4, p=0.1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    optimizer.zero_grad()
    net(torch.randn(3, 4)).diagonal().sum().backward()
    optimizer.step()
Scaled(4)(torch.randn(2, 4)).sum().backward()
