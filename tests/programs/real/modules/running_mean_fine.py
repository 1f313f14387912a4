"""The same buffer is rebound instead of written, or only subtracted."""

import torch
import torch.nn as nn


class RunningMean(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.register_buffer("mean", torch.zeros(dim))
        self.register_buffer("var", torch.ones(dim))
        self.register_buffer("count", torch.tensor(0.0))
        self.gain = nn.Parameter(torch.ones(dim))

    def forward(self, x):
        if self.training:
            self.count += 1
            self.mean.lerp_(x.detach().mean(0), 0.1)
            self.var = 0.9 * self.var + 0.1 * x.detach().var(0)
        return self.gain * ((x - self.mean) / (self.var + 1e-5).sqrt())


net = nn.Sequential(nn.Linear(4, 3), RunningMean(3), nn.ReLU(inplace=True), nn.Linear(3, 1))
opt = torch.optim.Adam(net.parameters())
for _ in range(3):
    opt.zero_grad()
    net(torch.randn(6, 4)).mean().backward()
    opt.step()
