"""Clipping weights after the step is fine, before the backward it is not."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
optimizer = torch.optim.RMSprop(net.parameters())
loss = net(torch.rand(4, 2)).mean()
loss.backward()
optimizer.step()
with torch.no_grad():
    for p in net.parameters():
        p.clamp_(-0.1, 0.1)

loss = net(torch.rand(4, 2)).mean()
for p in net.parameters():
    p.data.clamp_(-0.01, 0.01)  # error: IP301
loss.backward()
