"""Weights times a coefficient, through `.data`. Where the code says that a gradient is wanted for it, that is lost."""

import torch
from torch import nn


class Mixer:
    def __init__(self, alpha, scale):
        self.alpha, self.scale = alpha, scale
        self.optimizer = torch.optim.SGD([alpha], lr=0.1)

    def mix(self, weight: nn.Parameter):
        weight.data = weight * self.alpha  # error: IP302
        self.optimizer.zero_grad()
        (weight * 2).sum().backward()
        self.optimizer.step()

    def rescale(self, weight: nn.Parameter):
        weight.data = weight * self.scale
        (weight * 2).sum().backward()


def mix_annotated(weight: nn.Parameter, alpha: torch.Tensor):
    weight.data = weight * alpha  # error: IP302
    (weight * 2).sum().backward()


def mix_squashed(weight: nn.Parameter, learned):
    weight.data = weight * torch.sigmoid(learned)  # error: IP302
    (weight * 2).sum().backward()


def mix_and_ask(weight: nn.Parameter, alpha):
    weight.data = weight * alpha  # error: IP302
    (weight * 2).sum().backward()
    return alpha.grad


def decay(weight: nn.Parameter, factor, rate: float):
    weight.data = weight * (1 - factor) * rate
    (weight * 2).sum().backward()
    return weight.grad
