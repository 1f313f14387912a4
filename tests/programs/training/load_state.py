"""Weights are loaded between forward and backward."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.ReLU(), nn.Linear(2, 1))
best = {name: value.clone() for name, value in net.state_dict().items()}
net.load_state_dict(best)
loss = net(torch.rand(3, 2)).sum()
net.load_state_dict(best)  # error: IP102
loss.backward()
net.load_state_dict(best)
