"""Several networks are pushed apart: what pushes them is computed from their weights, and put into their gradients."""

import torch
from torch import nn

from vectors import to_gradients, to_vector


class Particles:
    def __init__(self, width):
        self.nets = [nn.Sequential(nn.Linear(width, 4), nn.Tanh(), nn.Linear(4, 1)) for _ in range(2)]
        self.optimizers = [torch.optim.SGD(net.parameters(), lr=0.1) for net in self.nets]

    def update(self, x):
        for net in self.nets:
            net.zero_grad()
            net(x).sum().backward()
        vectors = torch.stack([to_vector(net.parameters()) for net in self.nets])
        push = torch.exp(-vectors.square()) * vectors.sum(0)
        for i, net in enumerate(self.nets):
            to_gradients(push[i], net.parameters())
            self.optimizers[i].step()
