"""Results are kept in a list, and walked back from the third on, after what they need has changed."""

import torch
from torch import nn


def walk_through_one_code(net: nn.Module, batches):
    code = net(batches[0]).exp()
    kept = []
    for batch in batches:
        kept.append((code * batch).sum())
    kept[0].backward()
    for i in range(2, len(kept)):
        kept[i].backward()  # error: IP103


def walk_after_a_write(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch).exp())
    for result in kept:
        result.mul_(2)  # error: IP101
    for i in range(2, len(kept)):
        kept[i].sum().backward()


def put_and_write(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch))
    for i in range(2, len(kept)):
        kept[i] = net(batches[i]).exp()
        kept[i].mul_(2)  # error: IP101
        kept[i].sum().backward()


def step_after_each(batches):
    net = nn.Sequential(nn.Linear(3, 3), nn.Linear(3, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    kept = []
    for batch in batches:
        kept.append(net(batch).sum())
    for i in range(2, len(kept)):
        kept[i].backward()
        optimizer.step()  # error: IP102


def walk_the_last_again(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch).exp().sum())
    for i in range(2, len(kept)):
        kept[i].backward()
    kept[-1].backward()  # error: IP103


def put_then_write(net: nn.Module, batches):
    kept = []
    for batch in batches:
        kept.append(net(batch))
    for i in range(2, len(kept)):
        kept[i] = net(batches[i]).exp()
    for i in range(2, len(kept)):
        kept[i].mul_(2)  # error: IP101
        kept[i].sum().backward()
