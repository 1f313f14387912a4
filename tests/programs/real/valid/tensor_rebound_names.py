"""Names are bound anew: nothing is written although it looks like it."""

import torch
from torch import nn

net = nn.Sequential(nn.Linear(3, 3), nn.Sigmoid())
h = net(torch.randn(2, 3))
s = h
h = h + 1
h = h * s
s = s.clone()
s += 1
k = h.exp()
h = k
h = h.relu()
n = 3
n += 1
xs = [h]
xs += [k]
(h.sum() + s.sum() + sum(x.sum() for x in xs)).backward()
