"""Optimizers that torch does not have, and how they are made."""

from __future__ import annotations

import itertools

import torch


class Lion(torch.optim.Optimizer):
    """Steps of one size in the direction that the average of the gradients has."""

    def __init__(self, params, lr: float = 1e-3, beta: float = 0.9) -> None:
        super().__init__(params, {"lr": lr, "beta": beta})

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is not None:
                    average = self.state[p].setdefault("average", torch.zeros_like(p))
                    average.lerp_(p.grad, 1 - group["beta"])
                    p.add_(average.sign(), alpha=-group["lr"])


OPTIMIZERS = {"adam": torch.optim.Adam, "sgd": torch.optim.SGD, "lion": Lion}


def make_optimizer(*networks, name: str = "adam", lr: float = 0.01):
    """An optimizer of all parameters of the networks."""
    return OPTIMIZERS[name](itertools.chain.from_iterable(network.parameters() for network in networks), lr=lr)


def get_optimizer(name: str):
    """The class of that name."""
    return OPTIMIZERS[name]
