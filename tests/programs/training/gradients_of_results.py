"""A result that keeps its gradient has one after the walk; one that does not has none."""

import warnings

import torch

weight = torch.ones(3, requires_grad=True)


def train(carried):
    for _ in range(3):
        carried.retain_grad()
        (carried * carried).sum().backward()
        if carried.grad is not None:
            carried = carried.detach() * weight


def train_without(carried):
    for _ in range(2):
        (carried * carried).sum().backward()  # error: IP103
        if carried.grad is not None:
            carried = carried.detach() * weight


with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    train(weight * 1)
    train_without(weight * 1)
