"""What a loop of unknown length collects and counts is longer, and higher, than its first passes show."""

import random
from collections import deque

import torch
from torch import nn


def collect_then_train(steps):
    net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    memory = deque(maxlen=100)
    state = net(torch.rand(1, 3))
    while steps > 0:
        memory.append(torch.rand(1, 3))
        following = net(torch.rand(1, 3))
        if len(memory) > 8:
            batch = torch.cat(random.sample(list(memory), 4))
            loss = net(batch).pow(2).mean() + state.mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # error: IP102
        state = following
        steps -= 1


try:
    collect_then_train(int(random.random()) + 20)
except RuntimeError as error:
    print(error)


def warm_up_then_train(passes):
    net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    step = 0
    state = net(torch.rand(1, 3))
    for _ in passes:
        step += 1
        following = net(torch.rand(1, 3))
        if step > 10:
            loss = net(torch.rand(1, 3)).mean() + state.mean()
            loss.backward()
            optimizer.step()  # error: IP102
        state = following


try:
    warm_up_then_train(iter(range(20)))
except RuntimeError as error:
    print(error)


def counts_to_three(w):
    """A `while` that ends soon is executed to its end."""
    done = []
    while len(done) < 3:
        h = (w * 2).exp()
        if len(done) == 5:
            h.add_(1)
        done.append(h.sum())
    return torch.stack(done).sum()


counts_to_three(torch.rand(3, requires_grad=True)).backward()


def trains_what_it_collects(steps):
    """The states that are kept carry no graph."""
    net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 3))
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    memory = []
    while steps > 0:
        with torch.no_grad():
            memory.append(net(torch.rand(1, 3)))
        if len(memory) > 8:
            loss = net(torch.cat(memory[-4:])).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        steps -= 1


trains_what_it_collects(int(random.random()) + 20)
