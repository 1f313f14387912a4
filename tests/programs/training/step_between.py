"""Two losses from one forward pass, a step between their backwards."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.Tanh(), nn.Linear(3, 2))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
out = net(torch.rand(4, 3))
out[:, 0].sum().backward(retain_graph=True)
optimizer.step()  # error: IP102
out[:, 1].sum().backward()
