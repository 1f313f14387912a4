"""The YAML configuration asks for in-place activations, and one of them overwrites what the sigmoid before it saved."""

import importlib
from types import SimpleNamespace

import torch
import yaml
from torch import nn

CONFIG = """
model:
  widths: [4, 8, 2]
  layers:
    - {target: torch.nn.Sigmoid}
    - {target: torch.nn.ReLU, params: {inplace: true}}
train:
  optimizer: {target: torch.optim.Adam, params: {lr: 0.01}}
  steps: 1
"""


def get_obj_from_str(string: str):
    module, name = string.rsplit(".", 1)
    return getattr(importlib.import_module(module), name)


def instantiate_from_config(config: dict, *args):
    return get_obj_from_str(config["target"])(*args, **config.get("params", {}))


def to_namespace(value):
    if isinstance(value, dict) and "target" not in value:
        return SimpleNamespace(**{key: to_namespace(item) for key, item in value.items()})
    return value


class MLP(nn.Module):
    def __init__(self, widths, layers) -> None:
        super().__init__()
        self.linears = nn.ModuleList(nn.Linear(a, b) for a, b in zip(widths, widths[1:]))
        self.between = nn.Sequential(*map(instantiate_from_config, layers))

    def forward(self, x):
        *hidden, last = self.linears
        for linear in hidden:
            x = self.between(linear(x))  # error: IP101
        return last(x)


def main() -> None:
    torch.manual_seed(0)
    config = to_namespace(yaml.safe_load(CONFIG))
    model = MLP(**vars(config.model))
    optimizer = instantiate_from_config(config.train.optimizer, model.parameters())
    for _ in range(config.train.steps):
        loss = model(torch.randn(3, 4)).pow(2).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
