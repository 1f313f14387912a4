"""The usual optimizers move it."""

import torch
from torch import nn

for kind in (torch.optim.SGD, torch.optim.Adam, torch.optim.AdamW, torch.optim.RMSprop, torch.optim.Adagrad):
    net = nn.Sequential(nn.Linear(2, 3), nn.Linear(3, 1))
    optimizer = kind(net.parameters(), lr=0.1)
    x = torch.rand(4, 2)
    first, second = net(x).sum(), net(x).square().sum()
    first.backward()
    optimizer.step()  # error: IP102
    second.backward()
