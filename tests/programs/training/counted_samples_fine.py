"""Losses added up over a few batches, and begun anew once their graph was walked."""

import torch
from torch import nn

net = nn.Linear(12, 3)


def stream():
    made = 0
    while made < 32:
        yield torch.randn(8, 12)
        made += 1


class Accumulating:
    def __init__(self, every):
        self.every = every
        self.total = torch.zeros(())

    def is_due(self, step):
        return (step + 1) % self.every == 0

    def add(self, step, x):
        self.total = self.total + net(x).exp().sum()
        if self.is_due(step):
            self.total.backward()
            self.total = torch.zeros(())


def train_on_stream(every):
    total = 0.0
    for step, x in enumerate(stream()):
        total = total + net(x).exp().sum() / every
        if step > 0 and step % every == 0:
            total.backward()
            total = 0.0


def train_on_list():
    total = 0.0
    for step, x in enumerate([torch.randn(2, 12) for _ in range(9)]):
        total = total + net(x).exp().sum()
        if step > 0 and step % 4 == 0:
            total.backward()
            total = 0.0


def train_with(trainer):
    for step, x in enumerate(stream()):
        trainer.add(step, x)


for train in (lambda: train_on_stream(4), train_on_list):
    train()
train_with(Accumulating(4))
