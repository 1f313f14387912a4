"""The largest element along a dimension, of what an unknown model returns: its index carries no graph."""

import torch
from torch import nn


def attack(model_fn, x, y=None):
    x = x.clone().detach().to(torch.float).requires_grad_(True)
    if y is None:
        _, y = torch.max(model_fn(x), 1)
    loss = nn.CrossEntropyLoss()(model_fn(x), y)
    loss.backward()
    return x + x.grad.sign()


def attack_often(model_fn, x, y=None):
    if y is None:
        _, y = torch.max(model_fn(x), 1)
    adversarial = x
    for _ in range(5):
        adversarial = attack(model_fn, adversarial, y=y)
        adversarial = torch.clamp(adversarial, 0, 1)
    return adversarial


def bounded(const, lower, steps):
    w = torch.zeros(3, requires_grad=True)
    for n in range(steps):
        (const * w.exp()).sum().backward()
        lower[n] = max(lower[n], const[n])
        const[n] = (lower[n] + 1e10) / 2


bounded(torch.ones(3), [0.0] * 3, 3)
