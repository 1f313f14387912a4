"""Scores are scaled, biased and masked in place before the softmax."""

import torch
from torch import nn


class Attn(nn.Module):
    def __init__(self, dim, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(dim, 3 * dim)
        self.bias = nn.Parameter(torch.zeros(heads, 1, 1))
        self.out = nn.Linear(dim, dim)

    def forward(self, x, mask):
        b, n, d = x.shape
        q, k, v = self.qkv(x).view(b, n, 3, self.heads, d // self.heads).permute(2, 0, 3, 1, 4)
        scores = torch.einsum("bhid,bhjd->bhij", q, k)
        scores *= (d // self.heads) ** -0.5
        scores += self.bias
        scores.masked_fill_(mask, float("-inf"))
        w = scores.softmax(-1)
        return self.out((w @ v).transpose(1, 2).reshape(b, n, d))


mask = torch.triu(torch.ones(4, 4, dtype=torch.bool), 1)
Attn(4, 2)(torch.randn(2, 4, 4), mask).sum().backward()
