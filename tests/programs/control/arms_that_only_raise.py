"""A branch that only raises is left out, whatever decides on it: what the program does when all is well comes first."""

import torch
from torch import nn


def choose_parts(parts, wanted):
    if len(parts) == wanted:
        raise ValueError("too few parts")
    found = {}
    for number, part in enumerate(parts):
        found[number] = part
    if len(found) == 1:
        raise ValueError("only one part")
    return list(found.values())


def train(parts, wanted):
    net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    first, second = choose_parts(parts, wanted)[:2]
    loss = net(first).mean()
    other = net(second).mean()
    loss.backward()
    optimizer.step()  # error: IP102
    other.backward()


try:
    train([torch.rand(2, 3) for _ in range(4)], 1)
except RuntimeError as error:
    print(error)
