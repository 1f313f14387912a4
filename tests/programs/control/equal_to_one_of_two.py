"""A value that equals one constant equals no other: a write for one kind and a walk for another never meet."""

import torch
from torch import nn

net = nn.Linear(3, 3)
kind = torch.initial_seed() % 3

state = net(torch.rand(3)).exp()
if kind == 1:
    state.add_(1)
if kind == 2:
    state.sum().backward()

state = net(torch.rand(3)).exp()
if kind != 1:
    state.sum().backward()
elif kind == 2:
    state.add_(1)
