"""A parametrization of one's own with a mask buffer that is updated between forward and backward."""

import torch
import torch.nn.utils.parametrize as parametrize
from torch import nn


class Masked(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.register_buffer("mask", torch.ones_like(weight))

    def forward(self, w):
        return w * self.mask

    def right_inverse(self, w):
        return w

    @torch.no_grad()
    def prune(self, w, q=0.5):
        self.mask.copy_((w.abs() > w.abs().quantile(q)).float())  # error: IP101


layer = nn.Linear(4, 4)
parametrize.register_parametrization(layer, "weight", Masked(layer.weight))
opt = torch.optim.SGD(layer.parameters(), lr=0.1)
for _ in range(2):
    loss = layer(torch.randn(2, 4)).pow(2).mean()
    layer.parametrizations.weight[0].prune(layer.weight)
    opt.zero_grad()
    loss.backward()
    opt.step()
