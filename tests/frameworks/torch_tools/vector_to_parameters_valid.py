"""The flat weights of two networks are mixed in place and put back between updates, when every graph has been walked."""

import copy

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
average = copy.deepcopy(x=net)
optimizer = torch.optim.SGD(params=net.parameters(), lr=0.1)

for _ in range(2):
    loss = net(input=torch.randn(5, 3)).square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        mixed = parameters_to_vector(parameters=average.parameters())
        mixed.mul_(0.9).add_(other=parameters_to_vector(parameters=net.parameters()), alpha=0.1)
    vector_to_parameters(vec=mixed, parameters=average.parameters())
