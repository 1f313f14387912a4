"""Repeating the context inside the axis of the batch copies it for each head, so the heads' own offsets may be
added in place."""

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
        q = rearrange(self.to_q(x), "b n (h d) -> (b h) n d", h=self.heads)
        memory = repeat(self.encode(context), "b m d -> (b h) m d", h=self.heads)
        memory += repeat(self.head_bias, "h d -> (b h) 1 d", b=x.shape[0])
        attn = einsum(q, memory, "bh n d, bh m d -> bh n m").softmax(dim=-1)
        out = einsum(attn, memory, "bh n m, bh m d -> bh n d")
        return self.out(rearrange(out, "(b h) n d -> b n (h d)", h=self.heads))


torch.manual_seed(0)
model = MultiQueryDecoder()
optimizer = torch.optim.Adam(model.parameters())
for _ in range(2):
    x, context = torch.randn(2, 3, 8), torch.randn(2, 5, 8)
    loss = nn.functional.mse_loss(model(x, context), x)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
