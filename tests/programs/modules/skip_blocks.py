"""Nested blocks whose activations write their input: what is joined to it is the written one."""

import torch
from torch import nn


class SkipBlock(nn.Module):
    def __init__(self, outer, inner, submodule=None, outermost=False):
        super().__init__()
        self.outermost = outermost
        down = nn.Conv2d(outer, inner, 3, padding=1)
        layers = [down] if outermost else [nn.LeakyReLU(0.2, True), down]
        if submodule is not None:
            layers += [submodule, nn.ReLU(True), nn.Conv2d(2 * inner, outer, 3, padding=1)]
        else:
            layers += [nn.ReLU(True), nn.Conv2d(inner, outer, 3, padding=1)]
        layers.append(nn.Tanh() if outermost else nn.BatchNorm2d(outer))
        self.model = nn.Sequential(*layers)

    def forward(self, x):
        if self.outermost:
            return self.model(x)
        return torch.cat([x, self.model(x)], 1)


net = SkipBlock(4, 8)
net = SkipBlock(2, 4, net)
net = SkipBlock(3, 2, net)
net = SkipBlock(1, 3, net, outermost=True)
out = net(torch.randn(2, 1, 4, 4))
out.square().mean().backward()
out.mul_(2)
