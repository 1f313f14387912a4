"""The metric rounds out of place."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid())
x, y = torch.randn(8, 3), torch.randint(0, 2, (8, 4)).float()
probs = net(x)
loss = nn.functional.binary_cross_entropy(probs, y)
rounded = probs.detach().round()
print((rounded == y).float().mean())
loss.backward()
