"""ReLU, then dropout in place: a hazard in training only."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.ReLU(), nn.Dropout(0.5, inplace=True))
net.eval()
net(torch.rand(2, 3)).sum().backward()
net.train()
out = net(torch.rand(2, 3))  # error: IP101
out.sum().backward()
