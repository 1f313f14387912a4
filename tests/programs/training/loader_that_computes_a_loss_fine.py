"""A loss for each step, by a model's `loader`; what its loaders give by iterators, indices and attributes is data."""

import torch
from torch import nn


class Batches(list):
    @property
    def first(self):
        return self[0]


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 1)
        self.test_loader = self.get_loader("test")

    def loader(self, batch):
        return self.linear(batch).square().mean()

    def get_loader(self, options):
        return Batches(torch.rand(2, 3) for _ in range(2))


make = eval("lambda: Task()")


def train(options):
    task = make()
    optimizer = torch.optim.SGD(task.parameters(), lr=0.1)
    loader = task.get_loader(options)
    first, second, kept = loader[0], next(iter(loader)), list(task.get_loader(options))
    for _ in range(2):
        for batch, tested in zip(kept, task.test_loader):
            loss = task.loader(batch) + task.loader(first + second) + task.loader(loader.first + tested)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


train("all")
