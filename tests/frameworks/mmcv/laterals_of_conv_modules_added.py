"""Convolutions of mmcv end in a ReLU that keeps its result unless the configuration says otherwise."""

import torch
from mmcv.cnn import ConvModule
from torch import nn
from torch.nn import functional as F


class Fused(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.laterals = nn.ModuleList(ConvModule(channels, channels, 1, inplace=False) for _ in range(2))
        self.out = ConvModule(channels, 1, 3, padding=1, norm_cfg=dict(type="BN"), act_cfg=None)

    def forward(self, features):
        x = self.laterals[0](features[0])
        x += self.laterals[1](features[1])  # error: IP101
        return self.out(x)


class Attended(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.before = ConvModule(channels, channels, 3, padding=1, norm_cfg=dict(type="BN"), act_cfg=dict(type="ReLU"))

    def forward(self, x, positions):
        x = self.before(x)
        x += positions  # error: IP101
        return x


class Normed(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.conv = ConvModule(channels, channels, 3, padding=1, norm_cfg=dict(type="BN"), act_cfg=None)

    def forward(self, x, positions):
        x = self.conv(x)
        x += positions
        return F.relu(x)


class Plain(nn.Module):
    def __init__(self, channels=4):
        super().__init__()
        self.laterals = nn.ModuleList(ConvModule(channels, channels, 1, act_cfg=None) for _ in range(2))

    def forward(self, features):
        x = self.laterals[0](features[0])
        x += self.laterals[1](features[1])
        return x


features = [torch.rand(2, 4, 5, 5), torch.rand(2, 4, 5, 5)]
Plain()(features).sum().backward()
Normed()(features[0], features[1]).sum().backward()
for network, given in ((Attended(), features), (Fused(), [features])):
    try:
        network(*given).sum().backward()
    except RuntimeError as error:
        print(error)
