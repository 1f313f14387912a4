"""The block class is chosen by name at run time, and with GELU, which keeps its input only, the in-place residual is fine."""

import argparse
import json
from functools import partial

import torch
from torch import nn


class BlockBase(nn.Module):
    def __init_subclass__(cls, **kwargs) -> None:
        super().__init_subclass__(**kwargs)
        BlockBase.registry = {**getattr(BlockBase, "registry", {}), cls.__name__.lower(): cls}


class Plain(BlockBase):
    def __init__(self, dim: int, act: str) -> None:
        super().__init__()
        self.fc = nn.Linear(dim, dim)
        self.act = getattr(nn.functional, act)

    def forward(self, x):
        return self.act(self.fc(x))


class Residual(Plain):
    def forward(self, x):
        y = super().forward(x)
        y += x
        return y


def make_divisible(value: int, by: int = 4) -> int:
    return max(by, int(value + by / 2) // by * by)


def create_model(block: str, dim: int, depth: int, **kwargs) -> nn.Module:
    dim = make_divisible(dim)
    make = partial(BlockBase.registry[block], dim, **kwargs)
    return nn.Sequential(nn.Linear(3, dim), *(make() for _ in range(depth)), nn.Linear(dim, 1))


def get_args(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(argument_default=argparse.SUPPRESS)
    parser.add_argument("--model", type=json.loads, default={"block": "plain", "dim": 6, "depth": 1, "act": "relu"})
    parser.add_argument("--opt", default="adamw")
    parser.add_argument("--opt-args", type=json.loads, default={"lr": 1e-3})
    return parser.parse_args(argv)


def create_optimizer(name: str, params, **kwargs):
    table = {cls.__name__.lower(): cls for cls in (torch.optim.SGD, torch.optim.AdamW, torch.optim.NAdam)}
    return table[name](params, **kwargs)


def main(argv: list[str]) -> int:
    args = get_args(argv)
    torch.manual_seed(0)
    model = create_model(**args.model)
    optimizer = create_optimizer(args.opt, model.parameters(), **args.opt_args)
    for _ in range(2):
        loss = nn.HuberLoss()(model(torch.randn(4, 3)), torch.zeros(4, 1))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return 0


if __name__ == "__main__":
    main(["--model", '{"block": "residual", "dim": 6, "depth": 2, "act": "gelu"}', "--opt", "nadam"])
