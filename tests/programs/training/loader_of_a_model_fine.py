"""What a model's `get_dataloader` gives is data, however often it is walked through: no layer has run for it."""

import torch
from torch import nn


class Task(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 1)

    def get_dataloader(self, split):
        return [(torch.rand(2, 3), torch.rand(2, 1)) for _ in range(2)]

    def forward(self, features, labels):
        return (self.linear(features) - labels).square().mean()


make = eval("lambda: Task()")


def train(epochs: int):
    task = make()
    optimizer = torch.optim.SGD(task.parameters(), lr=0.1)
    loader = task.get_dataloader("train")
    for _ in range(epochs):
        for features, labels in loader:
            loss = task(features, labels)
            loss.backward()
            optimizer.step()
            optimizer.zero_grad()


train(2)
