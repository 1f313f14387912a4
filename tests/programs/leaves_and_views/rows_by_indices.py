"""Rows taken by arrays of indices, or by the indices of a batch, are copies: what they came from may be written."""

import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

net = nn.Linear(3, 1)
rng = np.random.default_rng(0)


class Numbered(Dataset):
    def __len__(self):
        return 8

    def __getitem__(self, at):
        return torch.randn(3), at


weights = torch.ones(8, 1)
for x, index in DataLoader(Numbered(), 4):
    loss = (weights[index] * net(x)).sum()
    weights[0] = 0
    loss.backward()


def train_on(loader):
    for batch, index in loader:
        loss = (weights[index] * net(batch)).sum()
        weights[0] = 0
        loss.backward()


states = np.zeros((8, 3), np.float32)
others = torch.randn(8, 3)
for t in range(3):
    states[t] = rng.normal(size=3)
    index = np.random.randint(0, 8, size=4)
    loss = net(torch.as_tensor(states[index])).sum()
    loss = loss + net(torch.as_tensor(states[rng.permutation(8)[:4]])).sum()
    loss = loss + net(torch.as_tensor(states[np.where(states[:, 0] >= 0)[0]])).sum()
    loss = loss + net(torch.as_tensor(states[np.argsort(states[:, 0])])).sum()
    loss = loss + net(torch.as_tensor(states[states[:, 0].argsort()])).sum()
    loss = loss + net(torch.as_tensor(states[states[:, 0] >= 0])).sum()
    loss = loss + net(others[np.random.choice(8, 4)]).sum()
    states[t] = 0
    others[0] = 0
    loss.backward()

scaled = rng.uniform(-1, 1, (20, 3))
deviation = scaled.std(0)
scaled /= deviation
net(torch.from_numpy(scaled).float()).square().sum().backward()

row = states[2]
loss = net(torch.from_numpy(row)).sum()
states[2] = 1  # error: IP301
loss.backward()
