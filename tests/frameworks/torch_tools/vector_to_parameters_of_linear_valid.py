"""`vector_to_parameters` gives each weight new data, but a linear layer has kept a view of the old memory, so backward uses the weights of the forward."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

net = nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1))
vector = parameters_to_vector(parameters=net.parameters()).detach()

loss = net(input=torch.randn(5, 3)).square().mean()
vector_to_parameters(vec=0.5 * vector, parameters=net.parameters())
loss.backward()
