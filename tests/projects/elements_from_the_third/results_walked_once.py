"""The same without the change: each result is walked back once, and what it needs is still there."""

import torch
from torch import nn


def walk_through_codes(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append((net(batch).exp() * batch).sum())
    kept[0].backward()
    for i in range(2, len(kept)):
        kept[i].backward()
    kept[1].backward()


def walk_the_first_at_the_end(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch).exp().sum())
    for i in range(1, len(kept)):
        kept[i].backward()
    kept[0].backward()


def write_after_the_walk(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch).exp())
    for i in range(2, len(kept)):
        kept[i].sum().backward()
        kept[i].data.mul_(2)


def put_and_walk(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch))
    for i in range(2, len(kept)):
        kept[i] = net(batches[i]).exp()
        kept[i].sum().backward()


def step_at_the_end(batches):
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = []
    for batch in batches:
        kept.append(net(batch).sum())
    for i in range(2, len(kept)):
        kept[i].backward()
    optimizer.step()


def walk_the_last_too(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch).exp().sum())
    for i in range(2, len(kept)):
        kept[i].backward()
        kept[i] = net(batches[i]).exp().sum()
    kept[-1].backward()


def put_then_walk(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch))
    for i in range(2, len(kept)):
        kept[i] = net(batches[i]).exp()
    for i in range(2, len(kept)):
        kept[i].sum().backward()
