"""A data-parallel style loop averages gradients in place and broadcasts weights by copy_."""

import copy

import torch
from torch import nn

replicas = [nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))]
replicas += [copy.deepcopy(replicas[0]) for _ in range(1)]
opts = [torch.optim.SGD(r.parameters(), lr=0.1) for r in replicas]


def average_gradients(models):
    for group in zip(*(m.parameters() for m in models)):
        total = torch.zeros_like(group[0].grad)
        for p in group:
            total += p.grad
        total /= len(group)
        for p in group:
            p.grad.copy_(total)


def broadcast(source, targets):
    with torch.no_grad():
        for target in targets:
            for p, q in zip(source.parameters(), target.parameters()):
                q.copy_(p)


for step in range(2):
    for replica, opt in zip(replicas, opts):
        opt.zero_grad()
        replica(torch.randn(2, 3)).pow(2).mean().backward()
    average_gradients(replicas)
    for opt in opts:
        opt.step()
    broadcast(replicas[0], replicas[1:])
