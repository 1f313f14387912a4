"""u and v are new tensors at every forward."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class SNLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in))
        self.register_buffer("u", F.normalize(torch.randn(n_out), dim=0))
        self.register_buffer("v", F.normalize(torch.randn(n_in), dim=0))

    def sigma(self):
        if self.training:
            with torch.no_grad():
                self.v = F.normalize(self.weight.t() @ self.u, dim=0)
                self.u = F.normalize(self.weight @ self.v, dim=0)
        return torch.dot(self.u, self.weight @ self.v)

    def forward(self, x):
        return x @ (self.weight / self.sigma()).t()


disc = nn.Sequential(SNLinear(3, 4), nn.LeakyReLU(0.1), nn.Linear(4, 1))
real, fake = torch.randn(5, 3), torch.randn(5, 3)
loss = F.softplus(-disc(real)).mean() + F.softplus(disc(fake)).mean()
loss.backward()
