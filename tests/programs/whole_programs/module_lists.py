"""Modules built from lists, with buffers and subclasses."""

import torch
import torch.nn.functional as F
from torch import nn


class Encoder(nn.Module):
    def __init__(self, layers=(4, 8, 4), act=nn.ReLU, **kw):
        super().__init__()
        self.layers = nn.ModuleList()
        for i, o in zip(layers[:-1], layers[1:]):
            self.layers.append(nn.Linear(i, o))
        self.act = act(**kw)
        self.norm = nn.LayerNorm(layers[-1])
        self.register_buffer("mean", torch.zeros(layers[-1]))
        self.scale = nn.Parameter(torch.ones(layers[-1]))

    def forward(self, x):
        for l in self.layers:
            x = self.act(l(x))
        x = self.norm(x)
        if self.training:
            with torch.no_grad():
                self.mean.mul_(0.9).add_(x.mean(0) * 0.1)
        x -= self.mean
        return x * self.scale


e = Encoder(inplace=True)
loss = e(torch.randn(5, 4)).square().mean()
loss.backward()

e2 = Encoder(act=nn.Sigmoid)
y = e2(torch.randn(5, 4))
e2.mean.zero_()
y.sum().backward()


class Wrapped(Encoder):
    def forward(self, x):
        z = super().forward(x)
        z = F.softmax(z, dim=-1)
        z[z < 0.1] = 0.0  # error: IP101
        return z


m = Wrapped()
try:
    m(torch.randn(5, 4)).pow(2).sum().backward()
except RuntimeError as err:
    print(err)

frozen = Encoder(act=nn.Tanh)
for p in frozen.parameters():
    p.requires_grad = False
o = frozen(torch.randn(2, 4))
o.exp_()
o.mul_(2)
head = nn.Linear(4, 1)
r = head(o)
o.zero_()  # error: IP101
try:
    r.sum().backward()
except RuntimeError as err:
    print(err)
