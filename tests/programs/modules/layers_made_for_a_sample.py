"""Layers that unseen code makes for a sample keep nothing of its graph, so weights may be initialised afterwards."""

import torch
from torch import nn


def make_layer(sample, width):
    return nn.Conv2d(sample.shape[1], width, 3, padding=1)


class Net(nn.Module):
    def __init__(self, sample, block):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        sample = self.conv(sample)
        layers = []
        for width in (8, 4):
            layer = block(sample, width)
            sample = layer(sample)
            layers.append(layer)
        self.layers = nn.Sequential(*layers)
        for module in self.modules():
            if isinstance(module, nn.Conv2d):
                nn.init.kaiming_normal_(module.weight)

    def forward(self, x):
        return self.layers(self.conv(x))


net = Net(torch.randn(1, 3, 9, 9), make_layer)
net(torch.randn(2, 3, 9, 9)).sum().backward()

net = Net(torch.randn(1, 3, 9, 9), make_layer)
out = net(torch.randn(2, 3, 9, 9))
for module in net.modules():
    if isinstance(module, nn.Conv2d):
        nn.init.kaiming_normal_(module.weight)  # error: IP101
out.sum().backward()
