"""A script: nobody gives a rate, so nothing is dropped and nothing written."""

import torch
from torch import nn


class Scorer(nn.Module):
    def __init__(self, width, dropout=0.0):
        super().__init__()
        self.main = nn.Sequential(nn.Linear(width, 8), nn.ReLU(), nn.Dropout(dropout, inplace=True), nn.Linear(8, 1))

    def forward(self, x):
        return self.main(x)


def train(net):
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    net(torch.randn(2, 3)).sum().backward()
    optimizer.step()


train(Scorer(3))
