"""A noisy layer draws new noise between two forwards whose losses are walked together."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class NoisyLinear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.mu = nn.Parameter(torch.zeros(n_out, n_in))
        self.sigma = nn.Parameter(torch.full((n_out, n_in), 0.1))
        self.register_buffer("eps", torch.randn(n_out, n_in))

    def reset_noise(self):
        self.eps.normal_()  # error: IP101

    def forward(self, x):
        return F.linear(x, self.mu + self.sigma * self.eps)


q = NoisyLinear(3, 2)
loss = 0
for _ in range(2):
    q.reset_noise()
    loss = loss + q(torch.randn(5, 3)).pow(2).mean()
loss.backward()
