import torch
from torch import nn


class Attention(nn.Module):
    def __init__(self, width, heads=2, attn_drop=0.0):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.attn_drop = attn_drop

    def forward(self, x):
        n, length, width = x.shape
        q, k, v = self.qkv(x).reshape(n, length, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        weights = (q @ k.transpose(-2, -1)).softmax(-1)
        if self.attn_drop:
            weights *= (torch.rand_like(weights) > self.attn_drop).float()  # error: IP101
        return (weights @ v).transpose(1, 2).reshape(n, length, width)


class Block(nn.Module):
    def __init__(self, width, drop=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.attention = Attention(width, attn_drop=drop)

    def forward(self, x):
        return x + self.attention(self.norm(x))


class PlainBlock(nn.Module):
    def __init__(self, width, drop=0.0):
        super().__init__()
        self.attention = nn.MultiheadAttention(width, 2, dropout=drop, batch_first=True)

    def forward(self, x):
        return x + self.attention(x, x, x)[0]
