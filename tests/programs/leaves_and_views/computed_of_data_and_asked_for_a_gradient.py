"""What is computed of arguments and then asked to require grad is a leaf: the arguments are data."""

import torch
from torch import nn


def penalise(critic, real, fake):
    share = torch.rand(real.size(0), 1)
    between = share * real + (1 - share) * fake.detach()
    between.requires_grad_(True)
    between.clamp_(-1, 1)  # error: IP201
    return critic(between).mean()


def penalise_clamped(critic, real, fake):
    share = torch.rand(real.size(0), 1)
    between = (share * real + (1 - share) * fake.detach()).clamp_(-1, 1)
    between.requires_grad_(True)
    score = critic(between)
    (slope,) = torch.autograd.grad(score, between, torch.ones_like(score), create_graph=True)
    return (slope.norm(dim=1) - 1).pow(2).mean()


def attack(network, images, amount=0.1):
    images = images.clone()
    images.requires_grad = True
    (slope,) = torch.autograd.grad(network(images).sum(), images)
    images += amount * slope.sign()  # error: IP201
    return images


def attack_data(network, images, amount=0.1):
    images = images.clone()
    images.requires_grad = True
    (slope,) = torch.autograd.grad(network(images).sum(), images)
    images.data += amount * slope.sign()
    return images


class Gated(nn.Module):
    """What a layer or a parameter computed requires grad already, and is no leaf."""

    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.gate = nn.Parameter(torch.rand(3))

    def forward(self, x):
        hidden = self.layer(x).requires_grad_()
        hidden += 1
        gated = x * self.gate
        gated.requires_grad_()
        gated += hidden
        return gated


exec(
    """
network, x = nn.Sequential(nn.Linear(3, 2), nn.Tanh(), nn.Linear(2, 1)), torch.rand(4, 3)
for penalty in (penalise, penalise_clamped):
    try:
        penalty(network, x, x + 1).backward()
    except RuntimeError as error:
        print(error)
for change in (attack, attack_data):
    try:
        change(network, x)
    except RuntimeError as error:
        print(error)
Gated()(x).sum().backward()
"""
)
