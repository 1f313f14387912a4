"""Gradients are scaled, clipped, zeroed and replaced in place."""

import torch
from torch import nn

net = nn.Linear(3, 2)
for _ in range(2):
    net(torch.randn(4, 3)).pow(2).mean().backward()
    for p in net.parameters():
        p.grad /= 2
        p.grad.clamp_(-1, 1)
        p.grad[p.grad.abs() < 1e-3] = 0
        p.grad += 0.01 * p.detach()
    torch.nn.utils.clip_grad_norm_(net.parameters(), 1.0)
    for p in net.parameters():
        p.data -= 0.1 * p.grad
        p.grad = None
