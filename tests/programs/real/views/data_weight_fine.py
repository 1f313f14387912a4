""".data is read and assigned with plain values, after and before the graph is walked."""

import torch
from torch import nn

layer = nn.Linear(3, 2)
layer.weight.data = torch.zeros(2, 3)
layer.bias.data.fill_(0.1)
loss = layer(torch.randn(4, 3)).pow(2).mean()
loss.backward()
layer.weight.data -= 0.1 * layer.weight.grad.data
layer.weight.data = layer.weight.data / layer.weight.data.norm()
layer.bias.data = layer.bias.data.clamp(-1, 1)
