"""Repeating the encoded context along a new axis only expands it, so all heads share one memory and torch
refuses the write."""

import torch
from einops import einsum, rearrange, repeat
from torch import nn


class MultiQueryDecoder(nn.Module):
    def __init__(self, dim=8, heads=2):
        super().__init__()
        self.heads = heads
        self.encode = nn.Linear(dim, dim // heads)
        self.to_q = nn.Linear(dim, dim)
        self.head_bias = nn.Parameter(torch.zeros(heads, dim // heads))
        self.out = nn.Linear(dim, dim)

    def forward(self, x, context):
        q = rearrange(self.to_q(x), "b n (h d) -> b h n d", h=self.heads)
        memory = repeat(self.encode(context), "b m d -> b h m d", h=self.heads)
        memory += rearrange(self.head_bias, "h d -> h 1 d")  # error: IP205
        attn = einsum(q, memory, "b h n d, b h m d -> b h n m").softmax(dim=-1)
        out = einsum(attn, memory, "b h n m, b h m d -> b h n d")
        return self.out(rearrange(out, "b h n d -> b n (h d)"))


torch.manual_seed(0)
model = MultiQueryDecoder()
optimizer = torch.optim.Adam(model.parameters())
x, context = torch.randn(2, 3, 8), torch.randn(2, 5, 8)
loss = nn.functional.mse_loss(model(x, context), x)
loss.backward()
optimizer.step()
