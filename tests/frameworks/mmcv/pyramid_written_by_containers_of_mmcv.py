"""The modules of mmcv's list add to their inputs in place; the gates that they have computed need those inputs."""

import torch
from mmcv.runner import BaseModule, ModuleList, Sequential, auto_fp16
from torch import nn


class Fusion(BaseModule):
    def __init__(self, channels, init_cfg=None):
        super().__init__(init_cfg)
        self.gate = Sequential(nn.Conv2d(channels, channels, 1), nn.Sigmoid())

    @auto_fp16()
    def forward(self, coarse, fine):
        fine = fine * self.gate(fine)
        coarse += fine  # error: IP101
        return coarse, fine


class Neck(BaseModule):
    def __init__(self, channels=2, depth=2):
        super().__init__()
        self.fusions = ModuleList([Fusion(channels) for _ in range(depth)])

    def forward(self, coarse, fine):
        for fusion in self.fusions:
            coarse, fine = fusion(fine, coarse)
        return coarse + fine


torch.manual_seed(0)
stem, neck = nn.Conv2d(1, 2, 1), Neck()
features = stem(torch.randn(1, 1, 4, 4))
neck(features.tanh(), features.sigmoid()).mean().backward()
