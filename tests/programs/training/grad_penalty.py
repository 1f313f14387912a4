"""create_graph keeps the graph."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 1))
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.rand(3, 2, requires_grad=True)
out = net(x)
(slope,) = torch.autograd.grad(out.sum(), x, create_graph=True)
loss = out.mean() + (slope.norm(dim=1) - 1).square().mean()
loss.backward()
optimizer.step()
