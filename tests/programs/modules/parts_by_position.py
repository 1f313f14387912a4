"""A number counts the parts of a container, whatever their names are."""

import torch
from torch import nn

net = nn.Sequential()
net.add_module("linear", nn.Linear(3, 3))
net.add_module("act", nn.Sigmoid())
net.add_module("scale", nn.Linear(3, 3))

x = torch.rand(2, 3)
y = net[1](net[0](x))
y.mul_(2)  # error: IP101
try:
    y.sum().backward()
except RuntimeError as error:
    print(error)

z = net[-1](x)
z.mul_(2)
z.sum().backward()

net[1] = nn.Identity()
h = net[1](net[0](x))
h.mul_(2)
h.sum().backward()
assert list(dict(net.named_children())) == ["linear", "act", "scale"]
