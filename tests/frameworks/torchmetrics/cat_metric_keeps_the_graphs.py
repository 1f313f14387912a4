"""The concatenating metric keeps each batch's losses with their graphs, so its second result leads through a
graph that is gone."""

import torch
import torchmetrics
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())
hardest = torchmetrics.CatMetric()

for _ in range(2):
    x, y = torch.randn(6, 4), torch.randn(6, 1)
    errors = nn.functional.mse_loss(model(x), y, reduction="none").flatten()
    hardest.update(errors)
    loss = hardest.compute().topk(3).values.mean()
    optimizer.zero_grad()
    loss.backward()  # error: IP103
    optimizer.step()
