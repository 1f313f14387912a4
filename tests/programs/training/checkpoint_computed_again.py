"""A checkpoint computes again at backward, and nobody checks versions there: with what has changed, the gradient is wrong."""

import torch
from torch import nn
from torch.utils.checkpoint import checkpoint


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(3, 3)
        self.register_buffer("scale", torch.full((3,), 2.0))

    def forward(self, x):
        return (self.layer(x) * self.scale).sin()


class Counting(Scaled):
    def forward(self, x):
        y = (self.layer(x) * self.scale).sin()
        self.scale += 1  # error: IP301
        return y


def overwrite(t):
    y = t.exp()
    y.mul_(3)  # error: IP301
    return y.sin()


def overwrite_last(t):
    y = t.exp()
    y.mul_(3)
    return y


def overwrite_without_end(t):
    y = t.exp()
    y.mul_(3)  # error: IP301
    return y


x = torch.rand(2, 3, requires_grad=True)
net = Scaled()
y = checkpoint(net, x, use_reentrant=False)
net.scale.mul_(2)  # error: IP301
y.sum().backward()

opt = torch.optim.SGD(net.parameters(), lr=0.5)
y = checkpoint(net, x, use_reentrant=False)
opt.step()  # error: IP301
y.sum().backward()

y = checkpoint(net, x, use_reentrant=False)
y.sum().backward()
opt.step()
net.scale.mul_(2)

checkpoint(Counting(), x, use_reentrant=False).sum().backward()
checkpoint(overwrite, x * 2, use_reentrant=False).sum().backward()
checkpoint(overwrite_last, x * 2, use_reentrant=False).sum().backward()
checkpoint(overwrite_without_end, x * 2, use_reentrant=False, early_stop=False).sum().backward()

h = torch.rand(2, 3)
y = checkpoint(lambda t: t * h, x * 2, use_reentrant=False)
h.add_(1)  # error: IP301
y.mul_(2)
y.sum().backward()
