"""Reptile: weights are saved, adapted by an optimizer, and interpolated back in place through .data."""

import copy

import torch
from torch import nn

model = nn.Sequential(nn.Linear(1, 8), nn.Tanh(), nn.Linear(8, 1))
for it in range(2):
    before = copy.deepcopy(model.state_dict())
    inner = torch.optim.SGD(model.parameters(), lr=0.02)
    for _ in range(3):
        x = torch.rand(5, 1)
        loss = (model(x) - torch.sin(x)).pow(2).mean()
        inner.zero_grad()
        loss.backward()
        inner.step()
    after = model.state_dict()
    model.load_state_dict({k: before[k] + (after[k] - before[k]) * 0.1 for k in before})
    for name, p in model.named_parameters():
        p.data.add_(torch.randn_like(p), alpha=1e-4)
