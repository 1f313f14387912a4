"""A network nobody sees gives several losses: nothing says that they have one graph, unless one of them has it all."""

import torch
from torch import nn

hidden = {}
exec(
    """
from types import SimpleNamespace

import torch
from torch import nn

class Compressor(nn.Module):
    def __init__(self):
        super().__init__()
        self.code, self.back = nn.Linear(3, 2), nn.Linear(2, 3)
        self.spread = nn.Parameter(torch.rand(2))

    def forward(self, x):
        return (self.back(torch.tanh(self.code(x))) - x).pow(2).mean(), self.side_loss()

    def side_loss(self):
        return self.spread.exp().sum()

    def both(self, x):
        loss, side = self(x)
        return SimpleNamespace(loss=loss, side=side)

class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner, self.out = nn.Linear(5, 2), nn.Linear(2, 1)

    def forward(self, x, state):
        state = torch.tanh(self.inner(torch.cat([x, state], 1)))
        return self.out(state), state

def build():
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
""",
    hidden,
)
Compressor, Cell, build = hidden["Compressor"], hidden["Cell"], hidden["build"]


def fit(network, x):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    for _ in range(2):
        optimizer.zero_grad()
        loss, side = network(x)
        loss.backward()
        side.backward()
        optimizer.step()
        optimizer.zero_grad()
        found = network.both(x)
        found.loss.backward()
        found.side.backward()
        optimizer.step()
        optimizer.zero_grad()
        network(x)[0].backward()
        network.side_loss().backward()
        optimizer.step()


def fit_sum_late(network, x):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    optimizer.zero_grad()
    loss, side = network(x)
    side.backward()
    loss.backward()
    try:
        (loss + side).backward()  # error: IP103
    except RuntimeError as error:
        print(error)
    optimizer.step()


def fit_twice(network, x):
    optimizer = torch.optim.SGD(network.parameters(), lr=0.1)
    optimizer.zero_grad()
    out = network(x)
    out.pow(2).mean().backward()
    try:
        out.exp().sum().backward()  # error: IP103
    except RuntimeError as error:
        print(error)
    optimizer.step()


def carry_on(cell, batches, detach):
    optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
    state = torch.zeros(2, 2)
    for x in batches:
        optimizer.zero_grad()
        if detach:
            state = state.detach()
        out, state = cell(x, state)
        try:
            out.sum().backward()  # error: IP103
        except RuntimeError as error:
            print(error)


def carry_on_detached(cell, batches):
    optimizer = torch.optim.SGD(cell.parameters(), lr=0.1)
    state = torch.zeros(2, 2)
    for x in batches:
        optimizer.zero_grad()
        out, state = cell(x, state.detach())
        out.sum().backward()
        optimizer.step()


def fit_heads(trunk, x):
    first, second = nn.Linear(1, 1), nn.Linear(1, 1)
    optimizer = torch.optim.SGD([*trunk.parameters(), *first.parameters(), *second.parameters()], lr=0.1)
    features = trunk(x)
    first(features).sum().backward()
    try:
        second(features).sum().backward()  # error: IP103
    except RuntimeError as error:
        print(error)
    optimizer.step()


x = torch.rand(2, 3)
fit(Compressor(), x)
fit_sum_late(Compressor(), x)
fit_twice(build(), x)
carry_on(Cell(), [x, x], False)
carry_on_detached(Cell(), [x, x])
fit_heads(build(), x)
