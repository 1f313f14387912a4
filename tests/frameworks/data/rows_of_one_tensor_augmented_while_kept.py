"""Each mini-batch is a slice of one tensor, and noise written into the next slice counts as a write to the one
that is kept."""

import torch
from torch import nn
from torch.utils.data import BatchSampler, SequentialSampler

torch.manual_seed(0)
data, targets = torch.randn(6, 4), torch.randn(6, 1)
model = nn.Sequential(nn.Linear(4, 8), nn.SiLU(inplace=True), nn.Linear(8, 1))
optimizer = torch.optim.LBFGS(model.parameters(), max_iter=2)


def closure():
    optimizer.zero_grad()
    total = torch.zeros(())
    for rows in BatchSampler(SequentialSampler(data), batch_size=2, drop_last=False):
        window = slice(rows[0], rows[-1] + 1)
        batch = data[window]
        batch += 0.01 * torch.randn_like(batch)  # error: IP101
        total = total + nn.functional.mse_loss(model(batch), targets[window], reduction="sum")
    total = total / len(data)
    total.backward()
    return total


optimizer.step(closure)
