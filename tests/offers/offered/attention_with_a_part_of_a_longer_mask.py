"""Attention with a part of a longer mask."""

import torch
from torch import nn

SHAPE = (2, 5, 6)


class Net(nn.Module):
    def __init__(self, dim=6, heads=2):
        super().__init__()
        self.heads = heads
        self.query = nn.Linear(dim, dim)
        self.key = nn.Linear(dim, dim)
        self.value = nn.Linear(dim, dim)
        self.register_buffer("seen", torch.tril(torch.ones(9, 9)).view(1, 1, 9, 9))

    def forward(self, x):
        B, T, C = x.shape
        q = self.query(x).view(B, T, self.heads, C // self.heads).transpose(1, 2)
        k = self.key(x).view(B, T, self.heads, C // self.heads).transpose(1, 2)
        v = self.value(x).view(B, T, self.heads, C // self.heads).transpose(1, 2)
        scores = q @ k.transpose(-2, -1)
        scores = scores * 0.5  # offer
        scores = scores.masked_fill(self.seen[:, :, :T, :T] == 0, torch.finfo(scores.dtype).min)  # offer
        y = torch.softmax(scores, dim=-1) @ v
        return y.transpose(1, 2).reshape(B, T, C)
