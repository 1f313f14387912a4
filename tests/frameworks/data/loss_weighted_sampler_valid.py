"""The table of difficulties is written in place with detached losses, and the sampler's own weights follow it
after each step."""

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, WeightedRandomSampler

torch.manual_seed(0)
size = 6
dataset = TensorDataset(torch.arange(size), torch.randn(size, 4), torch.randn(size, 1))
sampler = WeightedRandomSampler(torch.ones(size), num_samples=8, replacement=True)
loader = DataLoader(dataset, batch_size=4, sampler=sampler)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())

difficulty = torch.ones(size)
for epoch in range(2):
    for index, x, y in loader:
        losses = (model(x) - y).square().squeeze(-1)
        difficulty[index] = losses.detach()
        loss = (losses * (difficulty[index] / difficulty.sum())).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        sampler.weights.copy_(difficulty)
