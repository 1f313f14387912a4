"""Ops by element give results in their operand's order of memory, others in the order of the dimensions."""

import torch
from torch import nn


class Mix(nn.Module):
    def __init__(self, length):
        super().__init__()
        self.lin = nn.Linear(4, 4)
        self.over_time = nn.Linear(length, 3)

    def turned_back(self, x):
        z = torch.tanh(self.lin(x).transpose(1, 2) + 1)
        flat = z.transpose(1, 2).reshape(-1)
        flat += 1  # error: IP101
        return flat

    def turned_back_in_order(self, x):
        z = torch.softmax(self.lin(x).transpose(1, 2) + 1, -1)
        flat = z.transpose(1, 2).reshape(-1)
        flat += 1
        return flat

    def linear_of_turned(self, x):
        z = torch.relu(self.lin(x).transpose(1, 2) + 1) * 0.5
        mixed = self.over_time(z)
        z += 1
        return mixed


def train(mix, loader):
    for x in loader:
        mix.turned_back_in_order(x).sum().backward()
        mix.linear_of_turned(x).sum().backward()
        mix.turned_back(x).sum().backward()


train(Mix(3), [torch.randn(2, 3, 4)])
