"""The stream refills one buffer for each batch, and two batches are collected before the backward that needs
the first."""

import torch
from torch import nn
from torch.utils.data import DataLoader, IterableDataset


class Stream(IterableDataset):
    def __init__(self, batches, batch_size, features):
        self.batches = batches
        self.buffer = torch.empty(batch_size, features)

    def __iter__(self):
        for step in range(self.batches):
            self.buffer.normal_(mean=float(step))  # error: IP101
            yield self.buffer, torch.full((len(self.buffer),), step % 2)


torch.manual_seed(0)
model = nn.Linear(4, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
accumulate, losses = 2, []
for step, (x, y) in enumerate(DataLoader(Stream(4, 3, 4), batch_size=None)):
    losses.append(nn.functional.cross_entropy(model(x), y))
    if (step + 1) % accumulate == 0:
        optimizer.zero_grad()
        torch.stack(losses).mean().backward()
        optimizer.step()
        losses.clear()
