"""The running loss is a number."""

import torch
from torch import nn

model = nn.Sequential(nn.Linear(4, 8), nn.Sigmoid(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=1e-2)
total_loss = 0
for batch in torch.randn(3, 5, 4):
    optimizer.zero_grad()
    loss = (model(batch) ** 2).mean()
    loss.backward()
    optimizer.step()
    total_loss += loss.item()
