"""FGSM and PGD: the input is perturbed in place between walks, under no_grad or on a new leaf."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(inplace=True), nn.Linear(8, 3))
x, y = torch.rand(5, 4), torch.randint(0, 3, (5,))
delta = torch.zeros_like(x, requires_grad=True)
for _ in range(3):
    loss = nn.functional.cross_entropy(net(x + delta), y)
    loss.backward()
    delta.data = (delta.data + 0.1 * delta.grad.detach().sign()).clamp(-0.3, 0.3)
    delta.grad.zero_()
adv = x.clone().detach().requires_grad_(True)
for _ in range(2):
    loss = nn.functional.cross_entropy(net(adv), y)
    (grad,) = torch.autograd.grad(loss, adv)
    with torch.no_grad():
        adv += 0.1 * grad.sign()
        adv.clamp_(0, 1)
