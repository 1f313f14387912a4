"""The step makes a new batch."""

import torch
from torch import nn


class Rows:
    def __init__(self, data):
        self.data = data

    def __len__(self):
        return self.data.size(0)

    def __getitem__(self, i):
        return self.data[i]


rows = Rows(torch.randn(6, 4))
net = nn.Linear(4, 2)
for i in range(len(rows)):
    x = rows[i]
    out = net(x)
    x = x - x.mean()
    loss = (out * 2).sum() + x.sum()
    loss.backward()
