"""Embeddings of words and places."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.word = nn.Embedding(9, dim)
        self.place = nn.Embedding(6, dim)
        self.out = nn.Linear(dim, 2)

    def forward(self, x):
        words = x.abs().long().clamp(max=8)
        B, T = words.shape
        h = self.word(words) + self.place(torch.arange(T))  # offer
        return self.out(h)
