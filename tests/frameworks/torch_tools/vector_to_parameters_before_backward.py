"""`vector_to_parameters` gives each parameter new data, and the convolution, which keeps the parameter itself, walks backward with it: torch says nothing and the gradient is wrong."""

import torch
from torch import nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters

net = nn.Sequential(nn.Conv1d(1, 2, 3), nn.Tanh(), nn.Conv1d(2, 1, 3))
vector = parameters_to_vector(parameters=net.parameters()).detach()

loss = net(input=torch.randn(5, 1, 8)).square().mean()
vector_to_parameters(vec=0.5 * vector, parameters=net.parameters())  # error: IP301
loss.backward()
