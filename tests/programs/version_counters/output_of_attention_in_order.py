"""The output of an attention kernel lies in memory as the query does: to swap heads and positions back copies nothing."""

import torch
import torch.nn.functional as F
from torch import nn


class SelfAttention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.project = nn.Linear(width, 3 * width)
        self.heads = heads

    def split(self, x):
        batch, length, width = x.size()
        q, k, v = self.project(x).chunk(3, dim=-1)
        return [part.view(batch, length, self.heads, width // self.heads).transpose(1, 2) for part in (q, k, v)]


class Viewed(SelfAttention):
    def forward(self, x):
        y = F.scaled_dot_product_attention(*self.split(x), is_causal=True)
        y = y.transpose(1, 2).contiguous().view(x.size())
        y *= 0.5  # error: IP101
        return y


class Reshaped(SelfAttention):
    def forward(self, x):
        y = F.scaled_dot_product_attention(*self.split(x))
        y = y.permute(0, 2, 1, 3).reshape(x.shape)
        y += x  # error: IP101
        return y


class Copied(SelfAttention):
    def forward(self, x):
        q, k, v = self.split(x)
        y = F.scaled_dot_product_attention(q.contiguous(), k, v)
        y = y.transpose(1, 2).contiguous().view(x.size())
        y *= 0.5
        return y


for kind in (Viewed, Reshaped, Copied):
    try:
        kind(8, 2)(torch.randn(2, 3, 8)).sum().backward()
    except RuntimeError as error:
        print(error)


def turned_twice(x, layer):
    y = layer(x).exp()
    z = y.transpose(1, 2).transpose(2, 1).contiguous()
    z.mul_(2)  # error: IP101
    return z


turned_twice(torch.randn(2, 3, 4), nn.Linear(4, 4)).sum().backward()
