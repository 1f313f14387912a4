"""The YAML names an activation to import and asks for its in-place form, which writes what the layer norm has
kept."""

import importlib

import torch
import yaml
from torch import nn

CONFIG = """
model:
  width: 6
  activation:
    target: torch.nn.LeakyReLU
    params: {negative_slope: 0.2, inplace: true}
optimizer:
  target: torch.optim.AdamW
  params: {lr: 0.001, weight_decay: 0.01}
"""


def get_obj_from_str(string):
    module, cls = string.rsplit(".", 1)
    return getattr(importlib.import_module(module), cls)


def instantiate_from_config(config, *args):
    return get_obj_from_str(config["target"])(*args, **config.get("params", {}))


class Block(nn.Module):
    def __init__(self, width, activation):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.norm = nn.LayerNorm(width)
        self.act = instantiate_from_config(activation)

    def forward(self, x):
        h = self.linear(x)
        return self.norm(h) + self.act(h)  # error: IP101


torch.manual_seed(0)
config = yaml.safe_load(CONFIG)
model = Block(**config["model"])
optimizer = instantiate_from_config(config["optimizer"], model.parameters())
x = torch.randn(2, 6)
loss = (model(x) - x).square().mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
