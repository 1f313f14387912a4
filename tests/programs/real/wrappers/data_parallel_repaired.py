"""After the backward."""

import torch
from torch import nn

model = nn.DataParallel(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(True), nn.Linear(4, 1)))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(6, 3)).mean()
opt.zero_grad()
loss.backward()
model.module[3].weight.data.normal_()
opt.step()
