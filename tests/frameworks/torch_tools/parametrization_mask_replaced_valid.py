"""The mask is replaced, not written."""

import torch
import torch.nn.utils.parametrize as parametrize
from torch import nn


class Masked(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.register_buffer("mask", torch.ones_like(weight))

    def forward(self, w):
        return w * self.mask

    @torch.no_grad()
    def prune(self, w, q=0.5):
        self.mask = (w.abs() > w.abs().quantile(q)).float()


layer = nn.Linear(4, 4)
parametrize.register_parametrization(layer, "weight", Masked(layer.weight))
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    loss = layer(torch.randn(2, 4)).pow(2).mean()
    layer.parametrizations["weight"][0].prune(layer.weight)
    opt.zero_grad()
    loss.backward()
    opt.step()
parametrize.remove_parametrizations(layer, "weight", leave_parametrized=True)
layer.weight.data.mul_(0.5)
