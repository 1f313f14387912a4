"""Spectral norm by hand, the torch way: the graph keeps clones of the buffers."""

import torch
import torch.nn.functional as F
from torch import nn


class SNLinear(nn.Module):
    def __init__(self, n_in, n_out, n_power=1, eps=1e-12):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in) * 0.1)
        self.bias = nn.Parameter(torch.zeros(n_out))
        self.n_power, self.eps = n_power, eps
        self.register_buffer("u", F.normalize(torch.randn(n_out), dim=0))
        self.register_buffer("v", F.normalize(torch.randn(n_in), dim=0))

    def compute_weight(self):
        u, v = self.u, self.v
        if self.training:
            with torch.no_grad():
                for _ in range(self.n_power):
                    v = F.normalize(torch.mv(self.weight.t(), u), dim=0, eps=self.eps, out=v)
                    u = F.normalize(torch.mv(self.weight, v), dim=0, eps=self.eps, out=u)
                if self.n_power > 0:
                    u = u.clone()
                    v = v.clone()
        sigma = torch.dot(u, torch.mv(self.weight, v))
        return self.weight / sigma

    def forward(self, x):
        return F.linear(x, self.compute_weight(), self.bias)


disc = nn.Sequential(SNLinear(4, 8), nn.LeakyReLU(0.2), SNLinear(8, 1))
real, fake = torch.randn(6, 4), torch.randn(6, 4)
loss = F.softplus(-disc(real)).mean() + F.softplus(disc(fake)).mean()
loss.backward()
