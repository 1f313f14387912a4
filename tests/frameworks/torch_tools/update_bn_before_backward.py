"""`update_bn` resets and refills the running statistics of a batch norm whose graph is still to be walked, and batch norm has saved them."""

import torch
from torch import nn
from torch.optim.swa_utils import update_bn

model = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1d(8), nn.ReLU(), nn.Linear(8, 1))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = [torch.randn(4, 4) for _ in range(2)]

loss = model(input=loader[0]).square().mean()
update_bn(loader, model)  # error: IP102
loss.backward()
optimizer.step()
