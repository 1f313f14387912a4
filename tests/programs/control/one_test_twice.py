"""The same test of the same values comes out the same each time it is asked, in every pass of a loop."""

import torch
from torch import nn

net = nn.Linear(3, 3)
limit, level = len(torch.__version__), torch.initial_seed() + 1000

state = net(torch.rand(3)).exp()
for step in range(3):
    if limit > level:
        state = net(torch.rand(3)).exp()
    if limit > level:
        state.sum().backward()

state = net(torch.rand(3)).exp()
for step in range(3):
    if limit > level:
        state = net(torch.rand(3)).exp()
    if limit <= level:
        state.sum().backward()  # error: IP103
