"""Gradients that a backward leaves with a graph (`create_graph=True`): what is computed of them saves them."""

import torch


def penalty():
    weight = torch.randn(3, requires_grad=True)
    weight.pow(3).sum().backward(create_graph=True)
    gradient = weight.grad
    total = gradient.square().sum()
    gradient.mul_(2)  # error: IP101
    total.backward()


def replaced():
    weight = torch.randn(3, requires_grad=True)
    weight.pow(3).sum().backward(create_graph=True)
    total = weight.grad.square().sum()
    weight.grad = None
    total.backward()
    weight.grad.mul_(2)


def clipped():
    weight = torch.randn(3, requires_grad=True)
    weight.pow(3).sum().backward(create_graph=True)
    total = (weight.grad.norm() - 1) ** 2
    total.backward()
    with torch.no_grad():
        weight.grad.clamp_(-1, 1)
        weight -= 0.1 * weight.grad


def plain():
    weight = torch.randn(3, requires_grad=True)
    weight.pow(3).sum().backward(retain_graph=True)
    total = weight.grad.square().sum()
    weight.grad.mul_(2)
    return total


for step in (penalty, replaced, clipped, plain):
    try:
        step()
    except RuntimeError as error:
        print(error)
