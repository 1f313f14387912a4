"""Parameters come in the order of their registration, a module's own before those of the modules in it."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(3, 4)
        self.head = nn.Sequential(nn.Tanh(), nn.Linear(4, 4, bias=False), nn.BatchNorm1d(4))
        self.scale = nn.Parameter(torch.ones(4))
        self.register_buffer("seen", torch.zeros(1))

    def forward(self, x):
        return self.head(self.body(x) * self.scale)


net = Net()
out = net(torch.randn(2, 3, requires_grad=True)).exp().sum()
with torch.no_grad():
    scale, weight, bias, inner, gamma, beta = net.parameters()
    bias.mul_(2)
    beta.mul_(2)
    list(net.state_dict().values())[1].add_(1)
    list(net.body.parameters())[-1].mul_(2)
    dict(enumerate(net.head.parameters()))[2].mul_(2)
    inner.mul_(2)  # error: IP101
    gamma.mul_(2)  # error: IP101
    list(net.state_dict().values())[0].mul_(2)  # error: IP101
    next(iter(net.body.parameters())).mul_(2)  # error: IP101
out.backward()
