"""The YAML leaves the imported activation out of place, so what the layer norm has kept stays as it was."""

import importlib

import torch
import yaml
from torch import nn

CONFIG = """
model:
  width: 6
  activation:
    target: torch.nn.LeakyReLU
    params: {negative_slope: 0.2}
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
        return self.norm(h) + self.act(h)


torch.manual_seed(0)
config = yaml.safe_load(CONFIG)
model = Block(**config["model"])
optimizer = instantiate_from_config(config["optimizer"], model.parameters())
for _ in range(2):
    x = torch.randn(2, 6)
    loss = (model(x) - x).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
