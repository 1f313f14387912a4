"""The wrapped model's running buffer is reset between forward and backward."""

import torch
from torch import nn

model = nn.DataParallel(nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(True), nn.Linear(4, 1)))
opt = torch.optim.SGD(model.parameters(), lr=0.1)
loss = model(torch.randn(6, 3)).mean()
opt.zero_grad()
model.module[3].weight.data.normal_()  # error: IP301
loss.backward()
opt.step()
