"""Who asks for the device that a tensor lies on already gets the tensor itself."""

import torch
from torch import nn


def place_like(value, pattern):
    return value.to(pattern.device)


class Gate(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)
        self.register_buffer("scale", torch.full((width,), 0.5))

    def forward(self, x):
        opened = torch.sigmoid(self.fc(x))
        moved = opened.to(device=self.fc.weight.device, non_blocking=True)
        moved.mul_(self.scale)  # error: IP101
        return moved


class Head(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.gate = Gate(width)

    def forward(self, x):
        h = self.gate(x).tanh()
        other = place_like(h, x)
        other += 1  # error: IP101
        return other * 2


net = Head(4)
net.to(next(net.parameters()).device)
x = torch.randn(2, 4)
net(x.to(net.gate.scale.device)).sum().backward()

place = torch.device("cpu")
y = net.gate.fc(x.to(place)).exp()
z = y.to(place)
z[0] = 0  # error: IP101
z.sum().backward()
