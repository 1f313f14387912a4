"""Tensors that a learned optimizer puts in the place of parameters: `parameters()` lists them, too."""

import torch
from torch import nn


def train(model, rate, cut):
    for _ in range(3):
        model(torch.rand(4, 3)).pow(2).sum().backward()
        for parameter in model.parameters():
            update = -0.1 * (rate * torch.ones(2, 3))
            if cut:
                parameter.detach_()
        for name in model._parameters:
            held = model._parameters[name]
            if held is not None:
                model._parameters[name] = held + update


train(nn.Linear(3, 2, bias=False), nn.Parameter(torch.ones(3)), True)


class Learned:
    def __init__(self, model):
        self.model = model
        self.rate = nn.Parameter(torch.ones(3))

    def step(self):
        for _ in self.model.parameters():
            update = -0.1 * (self.rate * torch.ones(2, 3))
        for name in self.model._parameters:
            held = self.model._parameters[name]
            if held is not None:
                self.model._parameters[name] = held + update


model = nn.Linear(3, 2, bias=False)
learned = Learned(model)
for _ in range(2):
    model(torch.rand(4, 3)).pow(2).sum().backward()
    learned.step()
model(torch.rand(4, 3)).pow(2).sum().backward()  # error: IP103
