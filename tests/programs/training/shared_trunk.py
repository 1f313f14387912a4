"""Two heads on one trunk, walked one after the other."""

import torch
from torch import nn

trunk = nn.Sequential(nn.Linear(3, 3), nn.Tanh())
first, two = nn.Linear(3, 1), nn.Linear(3, 1)
h = trunk(torch.rand(2, 3))
first(h).sum().backward()
two(h).sum().backward()  # error: IP103

h = trunk(torch.rand(2, 3))
(first(h).sum() + two(h).sum()).backward()
