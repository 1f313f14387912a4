"""ModuleDict and ParameterList."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"in": nn.Linear(3, 3), "act": nn.ReLU(inplace=True)})
        self.scales = nn.ParameterList([nn.Parameter(torch.ones(3)) for _ in range(2)])

    def forward(self, x):
        h = self.parts["in"](x)
        for scale in self.scales:
            h = h * scale
        return self.parts["act"](h)


net = Net()
out = net(torch.rand(2, 3))
with torch.no_grad():
    net.scales[1].mul_(2)  # error: IP101
out.sum().backward()
