"""A timestep embedding is filled by slices from a learned frequency, and one slice is reused."""

import torch
import torch.nn as nn


class TimeEmbedding(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.freq = nn.Parameter(torch.randn(dim // 2))
        self.dim = dim

    def forward(self, t):
        angle = t[:, None] * self.freq[None]
        emb = torch.zeros(t.size(0), self.dim)
        emb[:, ::2] = angle.sin()
        emb[:, 1::2] = emb[:, ::2] ** 2  # error: IP101
        return emb


TimeEmbedding(6)(torch.rand(3)).sum().backward()
