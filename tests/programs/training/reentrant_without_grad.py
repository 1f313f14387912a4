"""A reentrant checkpoint of inputs that need no gradient gives a result without one."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 2))

x = torch.rand(4, 3)
h = checkpoint(net, x, use_reentrant=True)
x.data.add_(1)
h.add_(1)
if h.requires_grad:
    h.sum().backward()

h = checkpoint(net, x, use_reentrant=False)
x.data.add_(1)  # error: IP301
h.sum().backward()
