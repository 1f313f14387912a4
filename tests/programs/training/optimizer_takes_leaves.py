"""Torch refuses to optimize what has a graph: where the program goes on, an unknown function has given it none."""

import torch


def energy(x):
    return (x.exp() ** 2).sum(-1)


def ascend(starts, transform, count):
    ranked = starts[energy(starts).detach().argsort()]
    start = ranked[-3:]
    start = transform(start)
    start.requires_grad_(True)
    optimizer = torch.optim.Adam([start], lr=0.1)
    for _ in range(count):
        optimizer.zero_grad()
        loss = -energy(transform.inv(start)).sum()
        loss.backward()
        optimizer.step()
    return start


def ascend_all(starts, weight, count):
    optimizer = torch.optim.Adam([weight], lr=0.1)
    moved = starts * weight.exp()
    for _ in range(count):
        optimizer.zero_grad()
        energy(moved).sum().backward()  # error: IP103
        optimizer.step()
    return moved


ascend(torch.rand(5, 2), torch.distributions.transforms.identity_transform, 3)
ascend_all(torch.rand(5, 2), torch.rand(5, 2, requires_grad=True), 3)
