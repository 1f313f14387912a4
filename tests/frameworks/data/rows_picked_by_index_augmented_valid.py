"""Each mini-batch is picked by a list of indices, which copies the rows, so noise may be written into every one
of them."""

import torch
from torch import nn
from torch.utils.data import BatchSampler, RandomSampler

torch.manual_seed(0)
data, targets = torch.randn(6, 4), torch.randn(6, 1)
model = nn.Sequential(nn.Linear(4, 8), nn.SiLU(inplace=True), nn.Linear(8, 1))
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)


def closure():
    optimizer.zero_grad()
    total = torch.zeros(())
    for rows in BatchSampler(RandomSampler(data), batch_size=2, drop_last=False):
        batch = data[rows]
        batch += 0.01 * torch.randn_like(batch)
        total = total + nn.functional.mse_loss(model(batch), targets[rows], reduction="sum")
    total = total / len(data)
    total.backward()
    return total


optimizer.step(closure)
