"""The losses of the registry rescale targets and fresh differences in place, which no operation has kept."""

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


@register_loss("charbonnier")
def charbonnier_loss(pred: torch.Tensor, target: torch.Tensor, eps: float = 1e-3) -> torch.Tensor:
    diff = pred - target
    diff.pow_(2).add_(eps**2)
    return diff.sqrt_().mean()


@register_loss("scaled_l1")
def scaled_l1(pred: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    error = torch.sub(pred, target)
    error /= target.abs().clamp(min=0.1)
    return error.abs_().mean()


class CompositeLoss:
    def __init__(self, spec: str) -> None:
        self.terms = [(name, float(weight)) for name, weight in (part.split(":") for part in spec.split(","))]

    def __call__(self, pred, target) -> tuple[torch.Tensor, dict[str, float]]:
        logs, total = {}, pred.new_zeros(())
        for name, weight in self.terms:
            value = LOSSES[name](pred, target)
            logs[name] = value.item()
            total += weight * value
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
    parser.add_argument("--loss", default="charbonnier:1.0,scaled_l1:0.5")
    for name, value in {"inputs": 3, "hidden": 6, "outputs": 4, "depth": 1}.items():
        parser.add_argument(f"--{name}", type=int, default=value)
    return parser.parse_args(argv)


def main(args: argparse.Namespace) -> None:
    torch.manual_seed(0)
    model, criterion = build_model(args), CompositeLoss(args.loss)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    targets = torch.rand(5, args.outputs)
    targets -= targets.mean()
    for _ in range(2):
        loss, _ = criterion(model(torch.randn(5, args.inputs)), targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main(parse([]))
