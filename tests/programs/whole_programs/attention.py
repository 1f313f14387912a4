"""Attention with in-place masking, and with a scaled chunk."""

import torch
from torch import nn


class Attn(nn.Module):
    def __init__(self, d=8, h=2):
        super().__init__()
        self.qkv = nn.Linear(d, 3 * d)
        self.h = h
        self.proj = nn.Linear(d, d)

    def forward(self, x, mask=None):
        B, N, C = x.shape
        qkv = self.qkv(x).reshape(B, N, 3, self.h, C // self.h).permute(2, 0, 3, 1, 4)
        q, k, v = qkv.unbind(0)
        q = q * (C // self.h) ** -0.5
        attn = q @ k.transpose(-2, -1)
        if mask is not None:
            attn.masked_fill_(mask == 0, float("-inf"))
        attn = attn.softmax(dim=-1)
        x = (attn @ v).transpose(1, 2).reshape(B, N, C)
        return self.proj(x)


a = Attn()
m = torch.ones(5, 5).tril()
a(torch.randn(2, 5, 8), m).sum().backward()


class Attn2(Attn):
    def forward(self, x, mask=None):
        B, N, C = x.shape
        q, k, v = self.qkv(x).chunk(3, dim=-1)
        q *= C**-0.5  # error: IP203
        attn = q @ k.transpose(-2, -1)
        return self.proj(attn.softmax(-1) @ v)


try:
    Attn2()(torch.randn(2, 5, 8)).sum().backward()
except RuntimeError as e:
    print(e)
