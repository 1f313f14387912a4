"""Layers that mmcv builds by the names in configurations."""

import torch
from mmcv.cnn import build_activation_layer, build_conv_layer, build_norm_layer
from torch import nn


class Block(nn.Module):
    def __init__(self, cin, cout, norm_cfg=dict(type="BN"), act_cfg=dict(type="ReLU")):
        super().__init__()
        self.norm_name, norm = build_norm_layer(norm_cfg, cout, postfix=1)
        self.conv = build_conv_layer(None, cin, cout, 3, padding=1, bias=False)
        self.add_module(self.norm_name, norm)
        self.relu = build_activation_layer(act_cfg)

    @property
    def norm(self):
        return getattr(self, self.norm_name)

    def forward(self, x):
        out = self.relu(self.norm(self.conv(x)))
        out += x  # error: IP101
        return out


class Gate(Block):
    def __init__(self, cin, cout):
        super().__init__(cin, cout, dict(type="GN", num_groups=2), dict(type="Sigmoid"))

    def forward(self, x):
        out = self.relu(self.norm(self.conv(x)))
        return out + x


Gate(4, 4)(torch.randn(2, 4, 8, 8)).sum().backward()
Block(4, 4)(torch.randn(2, 4, 8, 8)).sum().backward()
