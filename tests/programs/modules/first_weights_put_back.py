"""A copy of the weights from before the training is put back while a graph has saved the trained ones."""

import torch
from torch import nn


class Anchored(nn.Module):
    """Compares what the network says now with what it said at first."""

    def __init__(self):
        super().__init__()
        self.net = nn.Conv1d(1, 2, 3)
        self.first = [parameter.detach().clone() for parameter in self.net.parameters()]

    def put_back(self):
        for parameter, value in zip(self.net.parameters(), self.first):
            parameter.data.copy_(value)  # error: IP301

    def drift(self, x):
        now = self.net(x)
        self.put_back()
        with torch.no_grad():
            then = self.net(x)
        return (now - then).pow(2).mean()


class Switching(nn.Module):
    """Does the same, and puts the trained weights back before anybody walks the graph."""

    def __init__(self):
        super().__init__()
        self.net = nn.Conv1d(1, 2, 3)
        self.first = [parameter.detach().clone() for parameter in self.net.parameters()]

    def switch(self, values):
        for parameter, value in zip(self.net.parameters(), values):
            parameter.data.copy_(value)

    def drift(self, x):
        trained = [parameter.detach().clone() for parameter in self.net.parameters()]
        now = self.net(x)
        self.switch(self.first)
        with torch.no_grad():
            then = self.net(x)
        self.switch(trained)
        return (now - then).pow(2).mean()


exec(
    """
for make in (Anchored, Switching):
    model = make()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    x = torch.rand(2, 1, 8, requires_grad=True)
    model.net(x).sum().backward()
    optimizer.step()
    model.drift(x).backward()
"""
)
