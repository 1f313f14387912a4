"""Keys are written into a preallocated cache whose earlier version the attention kept."""

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
        k_cache = torch.zeros(B, self.max_len, self.dim)
        v_cache = torch.zeros(B, self.max_len, self.dim)
        outs = []
        for t in range(T):
            q = self.q(x[:, t : t + 1])
            k_cache[:, t] = self.k(x[:, t])  # error: IP101
            v_cache[:, t] = self.v(x[:, t])  # error: IP101
            w = torch.softmax(q @ k_cache[:, : t + 1].transpose(1, 2), dim=-1)
            outs.append(w @ v_cache[:, : t + 1])
        return torch.cat(outs, dim=1)


CachedAttention(4)(torch.randn(2, 3, 4)).sum().backward()
