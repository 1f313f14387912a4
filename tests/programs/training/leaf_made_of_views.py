"""What is asked to require grad was made of data, a part of it like all of it; with a graph torch refuses to be asked."""

import torch


def energy(x):
    return (x.exp() ** 2).sum(-1)


def ascend(starts, count):
    best = torch.argsort(energy(starts).detach())
    start = starts[best].exp()[-3:]
    start.requires_grad_(True)
    optimizer = torch.optim.Adam([start], lr=0.1)
    for _ in range(count):
        optimizer.zero_grad()
        loss = -energy(start).sum()
        loss.backward()
        optimizer.step()
    return start


def ascend_twice(start, count):
    start = start.exp()[-3:].detach().requires_grad_(True)
    optimizer = torch.optim.Adam([start], lr=0.1)
    loss = -energy(start).sum()
    for _ in range(count):
        optimizer.zero_grad()
        loss.backward()  # error: IP103
        optimizer.step()
    return start


ascend(torch.rand(5, 2), 3)
ascend_twice(torch.rand(5, 2), 3)
