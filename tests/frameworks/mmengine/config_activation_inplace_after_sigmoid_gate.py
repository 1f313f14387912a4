"""The config asks for an in-place activation, which overwrites the sum that the gate's multiplication has kept."""

import torch
from mmengine.config import Config
from mmengine.model import BaseModule
from mmengine.registry import Registry
from torch import nn

LAYERS = Registry("layer")
BLOCKS = Registry("block")
for name in ("ReLU", "SiLU", "Sigmoid"):
    LAYERS.register_module(name=name, module=getattr(nn, name))


@BLOCKS.register_module()
class GatedBlock(BaseModule):
    def __init__(self, channels, act_cfg, init_cfg=None):
        super().__init__(init_cfg)
        self.value = nn.Linear(channels, channels)
        self.gate = nn.Linear(channels, channels)
        self.act = LAYERS.build(act_cfg)

    def forward(self, x):
        value = self.value(x)
        gated = value * torch.sigmoid(self.gate(x))
        return gated + self.act(value)  # error: IP101


cfg = Config(dict(block=dict(type="GatedBlock", channels=4, act_cfg=dict(type="ReLU", inplace=True)), lr=0.1))
torch.manual_seed(0)
block = BLOCKS.build(cfg.block)
optimizer = torch.optim.SGD(block.parameters(), lr=cfg.lr)
x = torch.randn(3, 4)
loss = (block(x) - x).square().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
