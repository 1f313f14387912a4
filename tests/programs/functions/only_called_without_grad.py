"""A method that the class itself calls under no_grad alone may write what requires grad; who else calls it may not."""

import torch
from torch import nn


class Average(nn.Module):
    def __init__(self, model, every=False):
        super().__init__()
        self.weight = nn.Parameter(model.weight.detach().clone())
        self.every = every

    @torch.no_grad()
    def update(self, model):
        if self.every:
            self._mix(model, 0.5)

    def copy(self, model):
        with torch.no_grad():
            self._mix(model, 1.0)

    def _mix(self, model, rate):
        self._write(self.weight, model.weight, rate)

    def _write(self, own, other, rate):
        own.mul_(1 - rate)
        own.add_(other, alpha=rate)


class Careless(nn.Module):
    def __init__(self, model, every=False):
        super().__init__()
        self.weight = nn.Parameter(model.weight.detach().clone())
        self.every = every

    @torch.no_grad()
    def update(self, model):
        if self.every:
            self._scale(model, 0.5)

    def reset(self, model):
        self._scale(model, 1.0)

    def _scale(self, model, rate):
        self.weight.mul_(rate)  # error: IP201


model = nn.Linear(3, 3)
average = Average(model, every=True)
average.update(model)
average.copy(model)
careless = Careless(model, every=True)
careless.update(model)
try:
    careless.reset(model)
except RuntimeError as error:
    print(error)
(average.weight.sum() + model(torch.rand(2, 3)).sum()).backward()
