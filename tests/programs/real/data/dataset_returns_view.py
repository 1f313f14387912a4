"""A dataset hands out rows of its own tensor; the training step writes the batch that the first layer kept."""

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
    x.sub_(x.mean())  # error: IP101
    loss = (out * 2).sum() + x.sum()
    loss.backward()
