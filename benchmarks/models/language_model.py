"""A small causal language model with a mask in a buffer."""

import math

import torch
import torch.nn.functional as F
from torch import nn

SHAPE = (8, 128)


class Attention(nn.Module):
    def __init__(self, dim, heads, longest, drop=0.1):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.proj = nn.Linear(dim, dim)
        self.resid_drop = nn.Dropout(drop)
        self.register_buffer("seen", torch.tril(torch.ones(longest, longest)).view(1, 1, longest, longest))

    def forward(self, x):
        batch, length, width = x.size()
        k = self.key(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        q = self.query(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        v = self.value(x).view(batch, length, self.heads, width // self.heads).transpose(1, 2)
        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        att = att.masked_fill(self.seen[:, :, :length, :length] == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(batch, length, width)
        return self.resid_drop(self.proj(y))


class Block(nn.Module):
    def __init__(self, dim, heads, longest):
        super().__init__()
        self.norm1 = nn.LayerNorm(dim)
        self.attn = Attention(dim, heads, longest)
        self.norm2 = nn.LayerNorm(dim)
        self.fc = nn.Linear(dim, 4 * dim)
        self.out = nn.Linear(4 * dim, dim)
        self.drop = nn.Dropout(0.1)

    def forward(self, x):
        x = x + self.attn(self.norm1(x))
        return x + self.drop(self.out(F.gelu(self.fc(self.norm2(x)))))


class Net(nn.Module):
    def __init__(self, vocabulary=100, dim=64, heads=4, longest=256, depth=3):
        super().__init__()
        self.token = nn.Embedding(vocabulary, dim)
        self.place = nn.Embedding(longest, dim)
        self.drop = nn.Dropout(0.1)
        self.blocks = nn.ModuleList([Block(dim, heads, longest) for _ in range(depth)])
        self.head = nn.Linear(dim, vocabulary)

    def forward(self, x):
        idx = (x.abs() * 10).long().clamp(max=99)
        _, length = idx.shape
        tokens = self.token(idx)
        x = self.drop(tokens + self.place(torch.arange(length, device=idx.device)))
        for block in self.blocks:
            x = block(x)
        return self.head(x)
