"""A loss from the registry rescales its argument in place, after the loss before it took the logarithm of that same tensor."""

from __future__ import annotations

import argparse
from typing import Callable

import torch
import torch.nn as nn

LOSSES: dict[str, Callable[..., torch.Tensor]] = {}


def register_loss(name: str):
    def decorator(fn):
        if name in LOSSES:
            raise KeyError(f"{name} is registered twice")
        LOSSES[name] = fn
        return fn

    return decorator


@register_loss("kl")
def kl_loss(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    return (target * (target.log() - pred.log())).sum(dim=-1).mean()


@register_loss("cosine")
def cosine_loss(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    pred /= pred.detach().sum(dim=-1, keepdim=True)  # error: IP101
    return 1 - torch.cosine_similarity(pred, target, dim=-1).mean()


class CompositeLoss:
    def __init__(self, spec: str) -> None:
        self.terms = [(name, float(weight)) for name, weight in (part.split(":") for part in spec.split(","))]

    def __call__(self, pred, target) -> tuple[torch.Tensor, dict[str, float]]:
        logs, total = {}, pred.new_zeros(())
        for name, weight in self.terms:
            value = LOSSES[name](pred, target)
            logs[name] = value.item()
            total = total + weight * value
        return total, logs


def build_model(args: argparse.Namespace) -> nn.Module:
    act = getattr(nn, args.act)
    layers = [nn.Linear(args.inputs, args.hidden), act()]
    for _ in range(args.depth):
        layers += [nn.Linear(args.hidden, args.hidden), act()]
    return nn.Sequential(*layers, nn.Linear(args.hidden, args.outputs), nn.Softplus())


def parse(argv=None) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--act", default="GELU", choices=["ReLU", "GELU", "SiLU"])
    parser.add_argument("--loss", default="kl:1.0,cosine:0.5")
    for name, value in {"inputs": 3, "hidden": 6, "outputs": 4, "depth": 1}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args(argv)


def main(args: argparse.Namespace) -> None:
    torch.manual_seed(0)
    model, criterion = build_model(args), CompositeLoss(args.loss)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loss, _ = criterion(model(torch.randn(5, args.inputs)), torch.rand(5, args.outputs).softmax(-1))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()


if __name__ == "__main__":
    main(parse([]))
