"""A perturbation steps along its own gradient through `.data`: nothing that was to be differentiated is lost."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 4), nn.Tanh(), nn.Linear(4, 2))
x, y = torch.randn(3, 4), torch.tensor([0, 1, 0])


def attack(model, x, y, epsilon=0.3, rate=0.1):
    delta = torch.zeros_like(x, requires_grad=True)
    for _ in range(2):
        loss = nn.functional.cross_entropy(model(x + delta), y)
        loss.backward()
        delta.data = (delta + rate * delta.grad.detach().sign()).clamp(-epsilon, epsilon)
        delta.grad.zero_()
    return delta.detach()


nn.functional.cross_entropy(model(x + attack(model, x, y)), y).backward()

weight = nn.Parameter(torch.randn(4))
(weight**2).sum().backward()
weight.data = weight / weight.norm()
(weight**2).sum().backward()

scale = nn.Parameter(torch.ones(4))
(weight * scale).sum().backward()
weight.data = weight * scale  # error: IP302
(weight**2).sum().backward()

fresh = torch.randn(4, requires_grad=True)
fresh.data = fresh * 2  # error: IP302
(fresh**2).sum().backward()
