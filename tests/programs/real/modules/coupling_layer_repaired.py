"""The halves are put together anew."""

import torch
import torch.nn as nn


class Coupling(nn.Module):
    def __init__(self, dim, flip):
        super().__init__()
        self.half = dim // 2
        self.net = nn.Sequential(nn.Linear(self.half, 8), nn.ReLU(), nn.Linear(8, 2 * self.half))
        self.flip = flip

    def forward(self, z):
        a, b = (
            (slice(self.half, None), slice(None, self.half))
            if self.flip
            else (slice(None, self.half), slice(self.half, None))
        )
        log_s, t = self.net(z[:, a]).chunk(2, dim=1)
        moved = z[:, b] * log_s.exp() + t
        return torch.cat([moved, z[:, a]] if self.flip else [z[:, a], moved], dim=1), log_s.sum(1)


class Flow(nn.Module):
    def __init__(self, dim, depth):
        super().__init__()
        self.layers = nn.ModuleList([Coupling(dim, i % 2 == 1) for i in range(depth)])

    def forward(self, x):
        z, log_det = x.clone(), torch.zeros(len(x))
        for layer in self.layers:
            z, ld = layer(z)
            log_det += ld
        return z, log_det


flow = Flow(4, 3)
z, log_det = flow(torch.randn(6, 4))
(0.5 * z.pow(2).sum(1) - log_det).mean().backward()
