"""DenseNet: features are concatenated from a list; in-place ReLU after the norm of the concatenation."""

import torch
import torch.nn as nn


class DenseLayer(nn.Sequential):
    def __init__(self, cin, growth, drop_rate=0.1):
        super().__init__()
        self.add_module("norm", nn.BatchNorm2d(cin))
        self.add_module("relu", nn.ReLU(inplace=True))
        self.add_module("conv", nn.Conv2d(cin, growth, 3, padding=1, bias=False))
        self.drop_rate = drop_rate

    def forward(self, x):
        new_features = super().forward(x)
        if self.drop_rate > 0:
            new_features = nn.functional.dropout(new_features, p=self.drop_rate, training=self.training)
        return torch.cat([x, new_features], 1)


net = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), DenseLayer(4, 4), DenseLayer(8, 4), nn.ReLU(inplace=True))
net(torch.randn(2, 3, 6, 6)).mean().backward()
