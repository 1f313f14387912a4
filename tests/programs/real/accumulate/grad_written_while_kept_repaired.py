"""The clipping comes last."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
x = torch.randn(5, 3)
loss = net(x).pow(2).mean()
grads = torch.autograd.grad(loss, list(net.parameters()), create_graph=True)
penalty = sum(g.pow(2).sum() for g in grads)
(loss + penalty).backward()
with torch.no_grad():
    for g in grads:
        g.clamp_(-1, 1)
