"""An addition gives one gradient, in one memory, to all of its inputs: a hook that writes it changes theirs, too."""

import torch
from torch import nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = nn.Linear(4, 4)

    def forward(self, x):
        y = self.inner(x)
        y.register_hook(self.damp)
        return x + y

    @staticmethod
    def damp(gradient):
        gradient *= 0.5  # error: IP301


net = nn.Sequential(nn.Linear(4, 4), Block())
net(torch.rand(2, 4)).square().mean().backward()

first, second = nn.Linear(3, 3), nn.Linear(3, 3)
x = torch.rand(5, 3)
a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # error: IP301
(a + b).square().sum().backward()

a, b, c = first(x), second(x), first(x)
b.register_hook(lambda g: g.clamp_(-1, 1))  # error: IP301
((b + c).t() + a.t()).square().sum().backward()

a, b = first(x), second(x)
b.register_hook(lambda g: g.mul_(0.1))  # error: IP301
a += b
a.square().sum().backward()

w, v = torch.rand(3, requires_grad=True), torch.rand(3, requires_grad=True)
w.register_hook(lambda g: g.zero_())  # error: IP301
(w + v).sum().backward()
