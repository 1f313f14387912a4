"""A model's `loader` that is given a batch computes a loss of it: its name does not make that loss data."""

import torch
from torch import nn


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 1)

    def loader(self, batch):
        return self.linear(batch).square().mean()


make = eval("lambda: Task()")


def train(batch):
    task = make()
    optimizer = torch.optim.SGD(task.parameters(), lr=0.1)
    loss = task.loader(batch)
    loss.backward()
    optimizer.step()
    try:
        loss.backward()  # error: IP103
    except RuntimeError:
        pass


train(torch.rand(2, 3))
