"""The average is computed into the weights that the graph has kept."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 2), nn.Linear(2, 1))
shadow = [p.detach().clone() for p in net.parameters()]
loss = net(torch.rand(3, 2)).sum()
with torch.no_grad():
    for p, s in zip(net.parameters(), shadow):
        p.copy_(s)  # error: IP101
loss.backward()
