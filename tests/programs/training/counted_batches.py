"""A graph that is kept over the batches, walked whenever the number of the batch says so."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

net = nn.Linear(12, 3)
loader = DataLoader(TensorDataset(torch.randn(32, 12)), batch_size=4)


def train_on_loader():
    total = 0.0
    for step, (x,) in enumerate(loader, start=1):
        total = total + net(x).exp().sum()
        if not step % 2:
            total.backward()  # error: IP103


train_on_loader()
