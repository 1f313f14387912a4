"""The cache is extended by cat."""

import torch
import torch.nn as nn


class CachedAttention(nn.Module):
    def __init__(self, dim, max_len=8):
        super().__init__()
        self.q = nn.Linear(dim, dim)
        self.k = nn.Linear(dim, dim)
        self.v = nn.Linear(dim, dim)
        self.max_len = max_len
        self.dim = dim

    def forward(self, x):
        B, T, _ = x.shape
        keys, values = [], []
        outs = []
        for t in range(T):
            q = self.q(x[:, t : t + 1])
            keys.append(self.k(x[:, t]))
            values.append(self.v(x[:, t]))
            w = torch.softmax(q @ torch.stack(keys, 1).transpose(1, 2), dim=-1)
            outs.append(w @ torch.stack(values, 1))
        return torch.cat(outs, dim=1)


CachedAttention(4)(torch.randn(2, 3, 4)).sum().backward()
