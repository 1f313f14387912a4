"""The concatenating metric is reset after each step, so its result leads only through the graph of this batch."""

import torch
import torchmetrics
from torch import nn

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
optimizer = torch.optim.Adam(model.parameters())
hardest = torchmetrics.CatMetric()
running = torchmetrics.MeanMetric()

for _ in range(2):
    x, y = torch.randn(6, 4), torch.randn(6, 1)
    errors = nn.functional.mse_loss(model(x), y, reduction="none").flatten()
    hardest.update(errors)
    loss = hardest.compute().topk(3).values.mean()
    running.update(loss)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    hardest.reset()
print(running.compute())
